import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { AcpAgentOptions } from '@moorage/agents/acp';
import type { McpServerDeclaration } from '@moorage/host';
import {
  type ActionEnvelope,
  type ChangesetState,
  type ChatState,
  ROOT_URI,
  type SessionState,
} from '@moorage/protocol';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { knownAgents } from '../../../packages/agents/src/acp/known-agents.js';
import { AcpProvider } from '../../../packages/agents/src/acp/provider.js';
import { accepted, chatState } from '../actions.js';
import { freePort } from '../free-port.js';
import { EVERYTHING, everything } from '../mcp.js';
import { processesWith } from '../processes.js';
import { commitAll } from '../repository.js';
import { CAN_CONFINE, sandboxIn } from '../sandbox.js';
import { TestHost } from '../test-host.js';
import type { WireClient } from '../wire-client.js';
import { workspacesIn } from '../workspaces.js';
import { type FakeModel, startFakeModel } from './fake-model/fake-model.js';
import { install, REAL_AGENTS, type RealAgent, type Scenario } from './real-agents.js';

/** Which to run: all, or those that AGENTS names, with commas between. */
export const CHOSEN_AGENTS = REAL_AGENTS.filter(
  ({ id }) => !process.env.AGENTS || process.env.AGENTS.split(',').includes(id),
);

/** Milliseconds of silence after which the user is told: shorter than usual, because tests wait for it. */
const QUIET_MS = 4_000;

/** Milliseconds that an agent may take to start: on a machine that is very busy opencode needs more than a minute. */
const START_MS = 180_000;

/** For `expect.poll`: real agents are slow, and the machine may be busy. */
export const VERY_PATIENT = { timeout: 240_000, interval: 50 };

/** A test of something; for agents that cannot do it, of what they do instead. */
export function scenario(
  { cannot }: RealAgent,
  name: Scenario,
  test: () => Promise<void>,
  instead: () => Promise<void> = () => Promise.reject(new Error(`nothing is known of agents without "${name}"`)),
): void {
  const reason = cannot?.[name];
  if (reason === undefined) it(name, test);
  else it(`not ${name}: ${reason}`, instead);
}

/** A real agent in a real host with a model on loopback, watched by two clients; made anew for each test. */
export function useRealAgent(agent: RealAgent, { usesMcp = false } = {}): RealAgentRig {
  const rig = new RealAgentRig(agent, usesMcp);
  beforeAll(() => rig.install(), 10 * 60_000);
  beforeEach(() => rig.start());
  afterEach(() => rig.end());
  return rig;
}

class RealAgentRig {
  home = '';
  session = '';
  chat = '';
  host!: TestHost;
  model!: FakeModel;
  client!: WireClient;
  other!: WireClient;
  readonly #agent: RealAgent;
  readonly #usesMcp: boolean;
  readonly #answered = new Set<string>();
  readonly #before: TestHost[] = [];
  #isTrusted = false;
  #server: ChildProcess | undefined;
  #program = { modules: '', node: '' };
  /** Everything temporary of a test is here, so that what is left can be told from what others leave. */
  #temporary = '';
  readonly #usualTemporary = process.env.TMPDIR;

  constructor(agent: RealAgent, usesMcp: boolean) {
    this.#agent = agent;
    this.#usesMcp = usesMcp;
  }

  async install(): Promise<void> {
    this.#program = await install(this.#agent);
  }

  async start(): Promise<void> {
    this.#isTrusted = false;
    this.#temporary = mkdtempSync(join(tmpdir(), 'moorage-real-agents-'));
    process.env.TMPDIR = this.#temporary;
    this.home = mkdtempSync(join(tmpdir(), 'moorage-real-agent-'));
    // Servers that the agent starts are found by its home, like everything else of it.
    const servers = this.#agent.takesHttpServersOnly
      ? [everything(this.home), await this.#serve()]
      : [everything(this.home)];
    const mcp = this.#usesMcp ? { mcp: { servers } } : {};
    this.host = new TestHost({
      agents: () => [this.#provider()],
      workspaces: workspacesIn,
      ...(CAN_CONFINE && { sandbox: (folder: string) => sandboxIn(folder) }),
      ...mcp,
    });
    writeFileSync(join(this.host.workspace, 'README.md'), 'first line\nold line\nlast line\n');
    commitAll(this.host.workspace);
    this.model = await startFakeModel(this.host.workspace);
    await this.host.start();
    await this.#connect();
    await this.newSession();
  }

  /** The reference server, with an address. */
  async #serve(): Promise<McpServerDeclaration> {
    const port = await freePort();
    this.#server = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
      env: { PORT: String(port) },
      stdio: 'ignore',
    });
    const url = `http://127.0.0.1:${port}/mcp`;
    await expect
      .poll(
        () =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        VERY_PATIENT,
      )
      .toBe(true);
    return everything(this.home, { id: 'mcp:remote', name: 'remote', launch: { kind: 'http', url } });
  }

  /** Ends everything; nothing of the agent may be left, whatever it had started. */
  async end(): Promise<void> {
    await this.host.dispose();
    this.#server?.kill();
    for (const before of this.#before.splice(0)) await before.dispose();
    await this.model.close();
    expect(this.model.errors).toEqual([]);
    await expect.poll(() => processesWith(this.home), VERY_PATIENT).toEqual([]);
    await expect.poll(() => readdirSync(this.#temporary), VERY_PATIENT).toEqual([basename(this.home)]);
    if (this.#usualTemporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = this.#usualTemporary;
    rmSync(this.#temporary, { recursive: true, force: true, maxRetries: 5 });
  }

  async newSession(config: Record<string, unknown> = {}): Promise<void> {
    const made = await this.host.session(this.client, { provider: this.#agent.id, config });
    this.session = made.session;
    this.chat = made.chat;
    await this.other.subscribe(this.chat);
  }

  /** After it was stopped. */
  async startHost(): Promise<void> {
    await this.host.start();
    await this.#connect();
    await this.client.subscribe(this.chat);
    await this.other.subscribe(this.chat);
  }

  /** What both clients see, which must be the same. */
  async seen(): Promise<ChatState> {
    await this.client.sync();
    await this.other.sync();
    expect(this.other.actionsOn(this.chat)).toEqual(this.client.actionsOn(this.chat));
    return chatState(this.client, this.chat);
  }

  /** Without those in which the host only says what came late. */
  async userTurns(): Promise<ChatState['turns']> {
    return (await this.seen()).turns.filter(({ message }) => message.origin.kind === 'user');
  }

  earlierSessions(): Promise<{ items: readonly { id: string }[] }> {
    const place = { provider: this.#agent.id, workingDirectory: this.host.workspaceUri };
    return this.client.request('moorage/listEarlierSessions', { channel: ROOT_URI, ...place });
  }

  async adopt(id: string): Promise<void> {
    const place = { provider: this.#agent.id, workingDirectory: this.host.workspaceUri };
    this.session = this.host.newSessionUri();
    await this.client.request('moorage/adoptSession', { channel: this.session, ...place, id });
    this.chat = (await this.client.subscribe<SessionState>(this.session)).defaultChat ?? '';
    for (const client of [this.client, this.other]) await client.subscribe(this.chat);
  }

  /** Answers whatever is asked in a turn until it ends; gives the action that ended it. */
  answering(turnId: string, approved: boolean): Promise<ActionEnvelope['action']> {
    const { other, chat } = this;
    const decision = approved ? { approved, confirmed: 'user-action' } : { approved, reason: 'denied' };
    let at = 0;
    return other.until(() => {
      for (; at < other.envelopes.length; at++) {
        const { channel, action } = other.envelopes[at] ?? {};
        if (channel !== chat || !action) continue;
        if (action.type === 'chat/toolCallReady' && !action.confirmed && !this.#answered.has(action.toolCallId)) {
          const { toolCallId } = action;
          this.#answered.add(toolCallId);
          other.dispatch(chat, { type: 'chat/toolCallConfirmed', turnId, toolCallId, ...decision });
        }
        const isEnd = ['chat/turnComplete', 'chat/turnCancelled', 'chat/error'].includes(action.type);
        if (isEnd && 'turnId' in action && action.turnId === turnId) return action;
      }
      return undefined;
    }, 'the end of the turn');
  }

  async cancel(turnId: string): Promise<void> {
    await accepted(this.client, this.chat, { type: 'chat/turnCancelled', duration: 0, turnId });
  }

  /** The files that the changeset of a turn shows, once it shows this many. */
  async changedFiles(turnId: string, count: number): Promise<string[]> {
    const { changesets } = await this.client.subscribe<SessionState>(this.session);
    const template = changesets?.find(({ uriTemplate }) => uriTemplate.includes('{turnId}'))?.uriTemplate ?? '';
    const uri = template.replace('{turnId}', turnId);
    const files = async () => (await this.client.subscribe<ChangesetState>(uri)).files.map(({ id }) => id);
    await expect.poll(async () => (await files()).length, VERY_PATIENT).toBe(count);
    return files();
  }

  /** How the agent is configured here. */
  get configuration(): Omit<AcpAgentOptions, 'id'> {
    const place = { home: this.home, ...this.#program, model: this.model.url, usesMcp: this.#usesMcp };
    const known = knownAgents(new Set()).find(({ id }) => this.#agent.id.startsWith(id));
    const { writable = [], readable = [] } = known?.ownFiles ?? {};
    const { modules, node } = this.#program;
    return { ownFiles: { writable, readable: [...readable, modules, node] }, ...this.#agent.configure(place) };
  }

  /** A host that knows nothing yet, with the same folder and the same agent; the first one ends. */
  async otherHost(): Promise<void> {
    const { workspace } = this.host;
    await this.host.stop();
    this.#before.push(this.host);
    this.host = new TestHost({ agents: () => [this.#provider()], workspaces: workspacesIn, workspace });
    await this.host.start();
    await this.#connect();
  }

  /** Answers the question whether the folder is trusted, which is asked once in a session. */
  async trust(): Promise<void> {
    if (this.#isTrusted) return;
    this.#isTrusted = true;
    const { request } = await this.other.action(this.chat, 'chat/inputRequested');
    expect(JSON.stringify(request)).toContain('Do you trust the files');
    const [question] = request.questions ?? [];
    const answer = { state: 'submitted', value: { kind: 'boolean', value: true } };
    const answers = { [question?.id ?? '']: answer };
    await accepted(this.other, this.chat, {
      type: 'chat/inputCompleted',
      requestId: request.id,
      response: 'accept',
      answers,
    });
  }

  /** That the model was offered no tool for something, which it wanted to use. */
  async hasNoToolFor(tool: string): Promise<void> {
    await expect.poll(() => this.model.errors.join(), VERY_PATIENT).toContain(`no tool for ${tool}`);
    this.model.errors.length = 0;
  }

  #provider(): AcpProvider {
    const timeouts = { quietMs: QUIET_MS, startMs: START_MS, sessionMs: START_MS };
    return new AcpProvider({ id: this.#agent.id, ...this.configuration }, timeouts);
  }

  async #connect(): Promise<void> {
    this.client = await this.host.client();
    this.other = await this.host.client();
  }
}
