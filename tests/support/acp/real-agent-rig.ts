import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { ActionEnvelope, ChangesetState, ChatState, SessionState } from '@moorage/protocol';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { AcpProvider } from '../../../packages/agents/src/acp/provider.js';
import { accepted, chatState } from '../actions.js';
import { everything } from '../mcp.js';
import { processesWith } from '../processes.js';
import { commitAll } from '../repository.js';
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

/** A test of what not every agent can do; for those that cannot it is skipped, with the reason. */
export function scenario({ cannot }: RealAgent, name: Scenario, title: string, test: () => Promise<void>): void {
  const reason = cannot?.[name];
  if (reason === undefined) it(title, test);
  else it.skip(`${title}: ${reason}`, test);
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
    this.#temporary = mkdtempSync(join(tmpdir(), 'moorage-real-agents-'));
    process.env.TMPDIR = this.#temporary;
    this.home = mkdtempSync(join(tmpdir(), 'moorage-real-agent-'));
    // Servers that the agent starts are found by its home, like everything else of it.
    const mcp = this.#usesMcp ? { mcp: { servers: [everything(this.home)] } } : {};
    this.host = new TestHost({ agents: () => [this.#provider()], workspaces: workspacesIn, ...mcp });
    writeFileSync(join(this.host.workspace, 'README.md'), 'first line\nold line\nlast line\n');
    commitAll(this.host.workspace);
    this.model = await startFakeModel(this.host.workspace);
    await this.host.start();
    await this.#connect();
    await this.newSession();
  }

  /** Ends everything; nothing of the agent may be left, whatever it had started. */
  async end(): Promise<void> {
    await this.host.dispose();
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

  async restartHost(): Promise<void> {
    await this.host.restart();
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

  #provider(): AcpProvider {
    const place = { home: this.home, ...this.#program, model: this.model.url, usesMcp: this.#usesMcp };
    const timeouts = { quietMs: QUIET_MS, startMs: START_MS, sessionMs: START_MS };
    return new AcpProvider({ id: this.#agent.id, ...this.#agent.configure(place) }, timeouts);
  }

  async #connect(): Promise<void> {
    this.client = await this.host.client();
    this.other = await this.host.client();
  }
}
