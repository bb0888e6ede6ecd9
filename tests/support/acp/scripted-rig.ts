import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AcpAgentOptions } from '@ahpd/agents/acp';
import { type ChatState, ROOT_URI, type ToolCallState } from '@ahpd/protocol';
import { afterEach, beforeEach, expect } from 'vitest';
import { AcpProvider } from '../../../packages/agents/src/acp/provider.js';
import { callsOf, chatState, PATIENT, textOf } from '../actions.js';
import { TestHost } from '../test-host.js';
import type { WireClient } from '../wire-client.js';
import { processesWith, scripted } from './scripted.js';

type Timeouts = ConstructorParameters<typeof AcpProvider>[1];

/** The scripted agent in a real host, watched by two clients; nothing of it may be left after a test. */
export class ScriptedRig {
  host!: TestHost;
  client!: WireClient;
  other!: WireClient;
  session = '';
  chat = '';
  folder = '';
  #mark = '';

  constructor() {
    beforeEach(() => {
      this.folder = mkdtempSync(join(tmpdir(), 'ahpd-acp-test-'));
      this.#mark = `mark-${crypto.randomUUID()}`;
    });
    afterEach(async () => {
      await this.host.dispose();
      await expect.poll(() => processesWith(this.#mark), PATIENT).toEqual([]);
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  async start(env: Record<string, string> = {}, timeouts: Timeouts = {}, more: Partial<AcpAgentOptions> = {}) {
    const state = join(this.folder, 'sessions.json');
    const agent = () =>
      new AcpProvider(scripted({ env: { MARK: this.#mark, SCRIPTED_STATE: state, ...env }, ...more }), timeouts);
    this.host = await TestHost.start({ agents: () => [agent()] });
    await this.connect();
    const made = await this.host.session(this.client, { provider: 'scripted' });
    await this.watch(made);
  }

  async connect(): Promise<void> {
    this.client = await this.host.client();
    this.other = await this.host.client();
  }

  async watch({ session, chat }: { session: string; chat: string }): Promise<void> {
    Object.assign(this, { session, chat });
    for (const one of [this.client, this.other]) {
      await one.subscribe(session);
      await one.subscribe(chat);
    }
  }

  /** What both clients see; it must be the same. */
  async seen(): Promise<ChatState> {
    await this.client.sync();
    await this.other.sync();
    expect(this.other.actionsOn(this.chat)).toEqual(this.client.actionsOn(this.chat));
    return chatState(this.client, this.chat);
  }

  async lastText(): Promise<string> {
    return textOf((await this.seen()).turns.at(-1));
  }

  async lastCall(): Promise<ToolCallState | undefined> {
    return callsOf((await this.seen()).turns.at(-1)?.responseParts).at(-1);
  }

  /** A stored content, as any client reads it. */
  async content(uri: string | undefined): Promise<string> {
    const { data } = await this.other.request('resourceRead', { channel: ROOT_URI, uri: uri ?? '' });
    return data;
  }
}
