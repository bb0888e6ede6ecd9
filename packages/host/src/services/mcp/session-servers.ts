import type { ActionOf, Customization, McpServerCustomization } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { HostContext } from '../context.js';
import type { McpServerDeclaration } from './declaration.js';
import { changedEntry, entriesOf, findEntry, isEnabled } from './entries.js';
import { MAX_SERVERS } from './limits.js';
import { ServerRun, type ServerRunHost } from './server-run.js';

interface Served {
  readonly run: ServerRun;
  /** Its plugin or directory; undefined for a configured server. */
  readonly container: string | undefined;
}

type HostFor = (declaration: McpServerDeclaration, changed: (run: ServerRun) => void) => ServerRunHost;

/**
 * The MCP servers of one session. Keeps what the session shows in step with them, and starts and stops them as users
 * choose.
 */
export class SessionServers {
  readonly session: Channel<'session'>;
  readonly #context: HostContext;
  readonly #hostFor: HostFor;
  readonly #served = new Map<string, Served>();
  /** Servers that a user has stopped. */
  readonly #stopped = new Set<string>();
  readonly #ifLost = { again: () => this.sync() };
  #isActive = false;

  constructor(context: HostContext, session: Channel<'session'>, hostFor: HostFor) {
    this.#context = context;
    this.session = session;
    this.#hostFor = hostFor;
  }

  get runs(): ServerRun[] {
    return [...this.#served.values()].map(({ run }) => run);
  }

  /** Servers by the names that agents use; a name that is taken gets a number. */
  get byName(): ReadonlyMap<string, ServerRun> {
    const named = new Map<string, ServerRun>();
    for (const run of this.runs) {
      const { name } = run.declaration;
      let unique = name;
      for (let number = 2; named.has(unique); number++) unique = `${name}-${number}`;
      named.set(unique, run);
    }
    return named;
  }

  /** Shows the configured servers and starts the enabled ones. Entries of servers no longer configured are removed. */
  activate(configured: readonly McpServerDeclaration[]): void {
    if (this.#isActive) return;
    this.#isActive = true;
    for (const { server, container } of entriesOf(this.session.state)) {
      const isKnown = configured.some(({ id }) => id === server.id);
      if (!container && !isKnown) this.#commit({ type: 'session/customizationRemoved', id: server.id });
    }
    for (const declaration of configured) this.#add(declaration, undefined);
    for (const { run } of this.#served.values()) this.#show(run);
    this.sync();
  }

  /** Replaces the servers of a plugin or directory. */
  declare(container: string, declarations: readonly McpServerDeclaration[]): void {
    for (const [id, { run, container: of }] of this.#served) {
      if (of !== container) continue;
      const same = declarations.some((one) => JSON.stringify(one) === JSON.stringify(run.declaration));
      if (same) continue;
      this.#served.delete(id);
      void run.stop();
    }
    for (const declaration of declarations) this.#add(declaration, container);
    this.sync();
  }

  /**
   * Starts and stops servers as users have chosen, and shows them again where another update has overwritten their
   * state.
   */
  sync(): void {
    if (!this.#isActive) return;
    for (const { run, container } of this.#served.values()) {
      const entry = findEntry(this.session.state, run.declaration.id);
      const isOn = entry ? isEnabled(entry) : container === undefined && run.declaration.enabled;
      if (!isOn) this.#stopped.delete(run.declaration.id); // switched on again, it starts again
      const wanted = isOn && !this.#stopped.has(run.declaration.id);
      const { kind } = run.state;
      if (wanted && kind === 'stopped') run.start();
      else if (!wanted && kind !== 'stopped') void run.stop();
      else this.#show(run);
    }
  }

  /** A user starts a server, or starts it again after it failed. */
  startRequested(id: string): void {
    this.#stopped.delete(id);
    const run = this.#served.get(id)?.run;
    if (run?.state.kind === 'error') void run.stop().then(() => this.sync());
    else this.sync();
  }

  /** A user stops a server without switching it off: it stays stopped until somebody starts it, or the session ends. */
  stopRequested(id: string): void {
    this.#stopped.add(id);
    this.sync();
  }

  /** Notifies servers waiting for a token of this resource, or of any. */
  tokensChanged(resource?: string): void {
    for (const run of this.runs) if (resource === undefined || run.resource === resource) run.tokensChanged();
  }

  /** Resolves when each starting server is known to work or not. */
  async settled(): Promise<void> {
    await Promise.all(this.runs.map((run) => run.settled()));
  }

  /** Stops all servers, and the session shows them as stopped. */
  async close(): Promise<void> {
    this.#isActive = false;
    await Promise.all(this.runs.map((run) => run.stop()));
  }

  #add(declaration: McpServerDeclaration, container: string | undefined): void {
    if (this.#served.has(declaration.id) || this.#served.size >= MAX_SERVERS) return;
    const run = new ServerRun(
      declaration,
      this.#hostFor(declaration, (changed) => this.#show(changed)),
    );
    this.#served.set(declaration.id, { run, container });
  }

  /** Shows a server in the session as it is. Commits nothing if it is shown so already. */
  #show(run: ServerRun): void {
    const served = this.#served.get(run.declaration.id);
    if (served?.run !== run) return;
    this.#showEntry(run, served.container === undefined);
    this.#showState(run);
  }

  #showEntry({ declaration: { id, name, uri, enabled }, state, capabilities }: ServerRun, isBare: boolean): void {
    const entry = findEntry(this.session.state, id);
    const mcpApp = capabilities && Object.keys(capabilities).length > 0 ? { mcpApp: { capabilities } } : {};
    if (!entry) {
      const enablement = enabled ? {} : { enablement: [{ kind: 'session' as const, enabled }] };
      if (isBare) this.#upsert({ type: 'mcpServer', id, name, uri, ...enablement, state, ...mcpApp });
      return;
    }
    const change: Partial<McpServerCustomization> = { ...(isBare && { name, uri }), ...mcpApp };
    if (!matches(entry.server, change)) this.#upsert(changedEntry(entry, change));
  }

  #showState({ declaration: { id }, state, channel }: ServerRun): void {
    const server = findEntry(this.session.state, id)?.server;
    if (!server || matches(server, { state, channel })) return;
    this.#commit({ type: 'session/mcpServerStateChanged', id, state, ...(channel !== undefined && { channel }) });
  }

  #upsert(customization: Customization): void {
    this.#commit({ type: 'session/customizationUpdated', customization });
  }

  #commit(action: ActionOf<'session'>): void {
    this.#context.door.commit(this.session, action, this.#ifLost);
  }
}

/** Whether a server entry already has all these values. */
function matches(server: McpServerCustomization, wanted: Partial<McpServerCustomization>): boolean {
  return Object.entries(wanted).every(
    ([key, value]) => JSON.stringify(server[key as keyof McpServerCustomization]) === JSON.stringify(value),
  );
}
