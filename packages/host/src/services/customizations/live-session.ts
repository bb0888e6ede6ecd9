import { type CustomizationEnablement, isEnabledBy, type SessionState, type URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { AgentCustomizations } from '../../ports/customizations.js';
import type { HostContext } from '../context.js';
import { inTime } from '../in-time.js';
import type { DeclareMcpServers, McpServerDeclaration } from '../mcp/declaration.js';
import type { Catalogue } from './catalogue.js';
import type { Lease } from './catalogue-pool.js';
import { Choices } from './choices.js';
import { ClientPlugins, type ClientPluginsOptions } from './client-plugins.js';
import { forAgents } from './for-agents.js';
import type { Container, LoadedContainer } from './found.js';
import { TURN_WAIT_MS } from './limits.js';
import { containersOf, isSame, isUsed, mergeEntry } from './merge.js';

export interface LiveSessionOptions {
  readonly context: HostContext;
  readonly uri: URI;
  readonly leases: readonly Lease[];
  /** The path of the session's first folder. */
  readonly folder: string | undefined;
  readonly treeOf: ClientPluginsOptions['treeOf'];
  readonly declare: DeclareMcpServers;
}

/** The customizations of one session in use: found, published, and kept up to date. */
export class LiveSession {
  readonly #options: LiveSessionOptions;
  readonly #choices: Choices;
  readonly #clients: ClientPlugins;
  readonly #stops: (() => void)[] = [];
  readonly #declared = new Map<string, readonly McpServerDeclaration[]>();
  #catalogues: readonly Catalogue[] = [];
  /** Whether all folders have been read. Until then, a missing entry may just not have been found yet. */
  #isComplete = false;
  #isClosed = false;
  readonly #ifLost = { again: () => this.publish() };
  readonly ready: Promise<void>;

  constructor(options: LiveSessionOptions) {
    this.#options = options;
    const { context, uri } = options;
    this.#choices = new Choices(context.door, uri);
    const onChanged = () => this.publish();
    this.#clients = new ClientPlugins({ clock: context.clock, treeOf: options.treeOf, onChanged });
    this.ready = this.#start();
  }

  /** The session's active clients, or what they publish, may have changed. */
  clientChanged(): void {
    this.#clients.update(this.#activeClients);
    this.publish();
  }

  /** A user has enabled or disabled an entry. */
  toggled(id: string, enablement: CustomizationEnablement[]): void {
    this.#choices.set(id, enablement);
    this.publish();
  }

  async forAgents(): Promise<AgentCustomizations> {
    await inTime(this.#upToDate(), TURN_WAIT_MS, this.#options.context.clock);
    return this.enabled();
  }

  /** Resolves when everything has been read once, or after TURN_WAIT_MS. */
  async found(signal?: AbortSignal): Promise<void> {
    const work = this.ready.then(() => this.#clients.settled());
    await inTime(work, TURN_WAIT_MS, this.#options.context.clock, signal);
  }

  /** The enabled customizations that are known now. */
  enabled(): AgentCustomizations {
    const entries = this.#session ? containersOf(this.#session.state) : [];
    const shown = new Map(entries.map((entry) => [entry.id, entry]));
    const used = this.#containers.filter(({ entry }) => isUsed(shown.get(entry.id) ?? entry));
    return forAgents(
      used.map((container) => withoutDisabled(container, shown.get(container.entry.id))),
      this.#options.folder,
    );
  }

  async #upToDate(): Promise<void> {
    await this.ready;
    await Promise.all([this.#clients.settled(), ...this.#catalogues.map((catalogue) => catalogue.refresh())]);
  }

  /** Publishes the differences to the session's state: one action per entry that differs. */
  publish(): void {
    const session = this.#session;
    if (!session || this.#isClosed) return;
    const { door } = this.#options.context;
    const found = this.#containers;
    const choice = (id: string) => this.#choices.get(id);
    for (const { entry } of found) {
      const before = session.state.customizations?.find(({ id }) => id === entry.id);
      const customization = mergeEntry(entry, before, choice);
      if (!isSame(before, customization))
        door.commit(session, { type: 'session/customizationUpdated', customization }, this.#ifLost);
    }
    const ids = new Set(found.map(({ entry }) => entry.id));
    for (const { id, clientId } of containersOf(session.state)) {
      const isGone = !ids.has(id) && (this.#isComplete || clientId !== undefined);
      if (!isGone) continue;
      door.commit(session, { type: 'session/customizationRemoved', id }, this.#ifLost);
      this.#declare(session, id, []);
    }
    this.#declareServers(session, found);
  }

  close(): void {
    this.#isClosed = true;
    this.#clients.close();
    for (const stop of this.#stops) stop();
    for (const lease of this.#options.leases) lease.release();
  }

  async #start(): Promise<void> {
    this.#clients.update(this.#activeClients);
    if (this.#clients.containers.length > 0) this.publish();
    this.#catalogues = await Promise.all(this.#options.leases.map(({ catalogue }) => catalogue));
    await Promise.all(this.#catalogues.map(({ ready }) => ready));
    if (this.#isClosed) return;
    this.#isComplete = true;
    for (const catalogue of this.#catalogues) this.#stops.push(catalogue.onChanged(() => this.publish()));
    this.publish();
  }

  get #session(): Channel<'session'> | undefined {
    return this.#options.context.door.channels.find('session', this.#options.uri);
  }

  get #activeClients(): SessionState['activeClients'] {
    return this.#session?.state.activeClients ?? [];
  }

  /** Each entry once: an agent may declare a folder that is found anyway. */
  get #containers(): readonly LoadedContainer[] {
    const ofHost = this.#isComplete ? this.#catalogues.flatMap(({ containers }) => containers) : [];
    const active = this.#activeClients.map(({ clientId }) => clientId); // a client may have just disconnected
    const ofClient = this.#clients.containers.filter(({ entry: { clientId = '' } }) => active.includes(clientId));
    const byId = new Map<string, LoadedContainer>();
    for (const one of [...ofHost, ...ofClient]) if (!byId.has(one.entry.id)) byId.set(one.entry.id, one);
    return [...byId.values()];
  }

  #declareServers(session: Channel<'session'>, containers: readonly LoadedContainer[]): void {
    for (const container of containers) {
      const { id } = container.entry;
      const servers = serversOf(container);
      if (!isSame(this.#declared.get(id) ?? [], servers)) this.#declare(session, id, servers);
    }
  }

  #declare(session: Channel<'session'>, container: string, servers: readonly McpServerDeclaration[]): void {
    this.#declared.set(container, servers);
    this.#options.declare(session, container, servers);
  }
}

/** What of a container is used: without the children that a user has switched off. */
function withoutDisabled(container: LoadedContainer, shown: Container | undefined): LoadedContainer {
  const disabled = new Set(
    shown?.children?.flatMap((child) => (child.type !== 'mcpServer' && child.enabled === false ? [child.id] : [])),
  );
  if (disabled.size === 0) return container;
  return { ...container, found: container.found.filter(({ child }) => !disabled.has(child.id)) };
}

/** The container's servers. Whether one should run depends on what users chose in the session. */
function serversOf({ found }: LoadedContainer): McpServerDeclaration[] {
  return found.flatMap(({ child, launch, isGuarded }) => {
    if (!launch || child.type !== 'mcpServer') return [];
    const { id, name, uri, enablement } = child;
    return [{ id, name, uri, enabled: isEnabledBy(enablement), launch, ...(isGuarded && { isGuarded }) }];
  });
}
