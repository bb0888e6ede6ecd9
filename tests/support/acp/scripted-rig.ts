import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AcpAgentOptions } from '@moorage/agents/acp';
import type { McpServerDeclaration } from '@moorage/host';
import { type ActionEnvelope, type ChatState, ROOT_URI, type ToolCallState } from '@moorage/protocol';
import { afterEach, beforeEach, expect } from 'vitest';
import { AcpProvider } from '../../../packages/agents/src/acp/provider.js';
import { accepted, callsOf, chatState, textOf } from '../actions.js';
import { useMark } from '../processes.js';
import { TestHost } from '../test-host.js';
import type { WireClient } from '../wire-client.js';
import { workspacesIn } from '../workspaces.js';
import { scripted } from './scripted.js';

type ToolCallReady = Extract<ActionEnvelope['action'], { type: 'chat/toolCallReady' }>;

interface ScriptedOptions {
  /** What the agent finds in its environment besides its usual variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeouts?: ConstructorParameters<typeof AcpProvider>[1];
  /** How the agent is configured otherwise. */
  readonly agent?: Partial<AcpAgentOptions>;
  /** The MCP servers of its sessions. */
  readonly servers?: readonly McpServerDeclaration[];
  /** Fills the folder that is worked in; the host has changesets of it. */
  readonly prepare?: (folder: string) => void;
}

/** The scripted agent in a real host, watched by two clients; nothing of it may be left after a test. */
export class ScriptedRig {
  host!: TestHost;
  client!: WireClient;
  /** The one that answers, where something is asked. */
  other!: WireClient;
  session = '';
  chat = '';
  /** Where the agent keeps its sessions. */
  folder = '';
  readonly #mark = useMark();

  constructor() {
    beforeEach(() => {
      this.folder = mkdtempSync(join(tmpdir(), 'moorage-acp-test-'));
    });
    afterEach(async () => {
      await this.host.dispose();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  /** In the environment of every process of a test. */
  get mark(): string {
    return this.#mark.text;
  }

  async start({ env, timeouts, agent, servers, prepare }: ScriptedOptions = {}): Promise<void> {
    const options = this.options({ ...agent, env: { ...env } });
    this.host = new TestHost({
      agents: () => [new AcpProvider(options, timeouts)], // each life of the host has agents of its own
      ...(prepare && { workspaces: workspacesIn }),
      ...(servers && { mcp: { servers } }),
    });
    prepare?.(this.host.workspace);
    await this.host.start();
    await this.#connect();
    await this.watch(await this.host.session(this.client, { provider: 'scripted' }));
  }

  options({ env, ...more }: Partial<AcpAgentOptions> = {}): AcpAgentOptions {
    return scripted({ env: { MARK: this.mark, SCRIPTED_STATE: join(this.folder, 'sessions.json'), ...env }, ...more });
  }

  /** The host ends and starts again, and both clients come back. */
  async restart(): Promise<void> {
    await this.host.restart();
    await this.#connect();
    await this.watch(this);
  }

  async watch({ session, chat }: { session: string; chat: string }): Promise<void> {
    Object.assign(this, { session, chat });
    for (const one of [this.client, this.other]) {
      await one.subscribe(session);
      await one.subscribe(chat);
    }
  }

  /** Waits for a call that asks. */
  async asked(): Promise<ToolCallReady> {
    const { action } = await this.other.envelope(
      (e) => e.channel === this.chat && e.action.type === 'chat/toolCallReady' && !e.action.confirmed,
    );
    return action as ToolCallReady;
  }

  async answer(call: { turnId: string; toolCallId: string }, approved: boolean, option?: string): Promise<void> {
    const { turnId, toolCallId } = call;
    const decision = approved ? { approved, confirmed: 'user-action' } : { approved, reason: 'denied' };
    const confirmed = { type: 'chat/toolCallConfirmed', turnId, toolCallId, selectedOptionId: option, ...decision };
    await accepted(this.other, this.chat, confirmed);
  }

  async cancel(turnId: string): Promise<void> {
    await accepted(this.client, this.chat, { type: 'chat/turnCancelled', duration: 0, turnId });
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

  async #connect(): Promise<void> {
    this.client = await this.host.client();
    this.other = await this.host.client();
  }
}
