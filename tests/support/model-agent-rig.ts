import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelAgentOptions, modelAgent } from '@moorage/agents/model';
import { type ChangesetState, changesetUri, type SessionState, type ToolCallState, type Turn } from '@moorage/protocol';
import { afterEach, beforeEach, expect } from 'vitest';
import { accepted, callsOf, chatState, shownIn, turn } from './actions.js';
import { type FakeCall, FakeModel, type FakeReply } from './fake-model.js';
import { run } from './run-from-small-process.js';
import { TestHost } from './test-host.js';
import type { WireClient } from './wire-client.js';
import { workspacesIn } from './workspaces.js';

export const says = (...text: string[]): FakeReply => ({ text });
export const calling = (...calls: FakeCall[]): FakeReply => ({ calls });

/** The model agent in a real host, in a repository with one file, watched by two clients; made anew for each test. */
export function useModelAgent(settings: Partial<ModelAgentOptions> = {}): ModelAgentRig {
  const rig = new ModelAgentRig(settings);
  beforeEach(() => rig.start());
  afterEach(() => rig.end());
  return rig;
}

class ModelAgentRig {
  model!: FakeModel;
  host!: TestHost;
  client!: WireClient;
  watcher!: WireClient;
  session = '';
  chat = '';
  readonly #usual: Partial<ModelAgentOptions>;
  /** Settings of the agents that are started from now on. */
  #more: Partial<ModelAgentOptions> = {};

  constructor(usual: Partial<ModelAgentOptions>) {
    this.#usual = usual;
  }

  async start(): Promise<void> {
    this.model = await FakeModel.start();
    this.#more = {};
    this.host = new TestHost({
      agents: () => [modelAgent({ ...this.#settings(), ...this.#more })],
      workspaces: workspacesIn,
    });
    run('git', ['init', '-q', '-b', 'main', this.host.workspace]);
    this.write('kept.txt', 'one\ntwo\nthree\n');
    await this.host.start();
    this.client = await this.host.client();
    this.watcher = await this.host.client();
    await this.newSession();
  }

  async end(): Promise<void> {
    await this.host.dispose();
    await this.model.close();
  }

  async newSession(): Promise<void> {
    ({ session: this.session, chat: this.chat } = await this.host.session(this.client, { provider: 'model' }));
    await this.watcher.subscribe(this.chat);
  }

  async restart(options: Partial<ModelAgentOptions> = {}): Promise<void> {
    this.#more = options;
    await this.host.restart();
    this.client = await this.host.client();
    this.watcher = await this.host.client();
    await this.client.subscribe(this.chat);
    await this.watcher.subscribe(this.chat);
  }

  /** Where what is always allowed is kept. */
  get grantsFile(): string {
    return join(this.host.folder, 'always-allowed.json');
  }

  at(name: string): string {
    return join(this.host.workspace, name);
  }

  write(name: string, text: string): void {
    writeFileSync(this.at(name), text);
  }

  read(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  /** What both clients see of the last turn, which must be the same. */
  async lastTurn(): Promise<Turn> {
    const [one, other] = await Promise.all([chatState(this.client, this.chat), chatState(this.watcher, this.chat)]);
    expect(other.turns).toEqual(one.turns);
    const last = one.turns.at(-1);
    if (!last) throw new Error('there is no turn');
    return last;
  }

  /** Calls that wait for the user, once there are that many. */
  waiting(count = 1): Promise<ToolCallState[]> {
    return shownIn(this.watcher, this.chat, ({ activeTurn }) => {
      const calls = callsOf(activeTurn?.responseParts).filter(({ status }) => status === 'pending-confirmation');
      return calls.length >= count ? calls : undefined;
    });
  }

  approve(turnId: string, more: object = {}, count = 1): Promise<void> {
    return this.#answer(turnId, { approved: true, confirmed: 'user-action', ...more }, count);
  }

  deny(turnId: string, more: object = {}): Promise<void> {
    return this.#answer(turnId, { approved: false, reason: 'denied', ...more });
  }

  /** Lets the model make these calls at once and gives what it was told of each. */
  async results(...calls: FakeCall[]): Promise<readonly string[]> {
    this.model.queue(calling(...calls), says('Done.'));
    await turn(this.client, this.chat, 'go');
    return this.model.requests.at(-1)?.results ?? [];
  }

  /** The files that a turn changed, as its changeset has it. */
  async changed(turnId: string): Promise<string[]> {
    const { client, watcher, session } = this;
    const state = await client.subscribe<SessionState>(session);
    if (!state.changesets) await client.action(session, 'session/changesetsChanged');
    const uri = changesetUri(session, { kind: 'turn', turnId });
    let changeset = await watcher.subscribe<ChangesetState>(uri);
    if (changeset.status === 'computing') {
      await watcher.envelope(
        ({ channel, action }) =>
          channel === uri && action.type === 'changeset/statusChanged' && action.status !== 'computing',
      );
      changeset = await watcher.subscribe<ChangesetState>(uri);
    }
    return changeset.files.map(({ id }) => id.slice(id.lastIndexOf('/') + 1)).sort();
  }

  #settings(): ModelAgentOptions {
    const { baseURL } = this.model;
    return { id: 'model', api: 'openai', baseURL, models: ['fake'], grantsFile: this.grantsFile, ...this.#usual };
  }

  async #answer(turnId: string, more: object, count = 1): Promise<void> {
    for (const { toolCallId } of await this.waiting(count)) {
      await accepted(this.watcher, this.chat, { type: 'chat/toolCallConfirmed', turnId, toolCallId, ...more });
    }
  }
}
