import type { ClientPluginCustomization, SessionActiveClient } from '@moorage/protocol';
import type { Clock } from '../../ports/clock.js';
import type { LoadedContainer } from './found.js';
import { guardServers } from './guarded-servers.js';
import { CLIENT_LOAD_MS, MAX_DESCRIPTION_CHARS, MAX_MESSAGE_CHARS, MAX_NAME_CHARS, MAX_PLUGINS } from './limits.js';
import { oneLine } from './parse/fields.js';
import { loadPlugin } from './sources/plugin.js';
import type { Tree } from './tree.js';

export interface ClientPluginsOptions {
  readonly clock: Clock;
  /** The files below a plugin's URI. Reading stops when `isWanted` returns false. */
  treeOf(clientId: string, plugin: ClientPluginCustomization, isWanted: () => boolean): Promise<Tree>;
  onChanged(): void;
}

interface Published {
  readonly clientId: string;
  readonly declared: ClientPluginCustomization;
  container: LoadedContainer;
  readonly loading: Promise<void>;
  isWanted: boolean;
}

/** The plugins of a session's active clients: read from the client, and gone with it (B-232, B-233, B-234, OQ-66). */
export class ClientPlugins {
  readonly #options: ClientPluginsOptions;
  #published: readonly Published[] = [];

  constructor(options: ClientPluginsOptions) {
    this.#options = options;
  }

  get containers(): readonly LoadedContainer[] {
    return this.#published.map(({ container }) => container);
  }

  /** Resolves when all published plugins have been read or have failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#published.map(({ loading }) => loading));
  }

  /** Takes over the active clients' plugins. A plugin whose nonce has not changed is not read again. */
  update(clients: readonly SessionActiveClient[]): void {
    const before = this.#published;
    const declared = clients.flatMap(({ clientId, customizations }) =>
      unique(customizations ?? []).map((plugin) => ({ clientId, plugin })),
    );
    this.#published = declared.slice(0, MAX_PLUGINS).map(({ clientId, plugin }) => {
      const known = before.find(
        (one) => one.clientId === clientId && one.declared.id === plugin.id && isUnchanged(one.declared, plugin),
      );
      return known ? reused(known, plugin) : this.#open(clientId, plugin);
    });
    for (const one of before) if (!this.#published.includes(one)) one.isWanted = false;
  }

  close(): void {
    this.update([]);
  }

  #open(clientId: string, declared: ClientPluginCustomization): Published {
    const published: Published = {
      clientId,
      declared,
      isWanted: true,
      container: { entry: entryOf(clientId, declared), found: [], origin: 'client' },
      loading: Promise.resolve().then(() => this.#load(published)),
    };
    return published;
  }

  async #load(published: Published): Promise<void> {
    const { clock, treeOf, onChanged } = this.#options;
    const { clientId, declared } = published;
    const { entry } = published.container;
    let late: unknown;
    const tooLate = new Promise<never>((_, reject) => {
      const seconds = CLIENT_LOAD_MS / 1_000;
      late = clock.setTimeout(() => reject(new Error(`it could not be read within ${seconds} s`)), CLIENT_LOAD_MS);
    });
    try {
      const tree = await treeOf(clientId, declared, () => published.isWanted);
      const { load, found: all } = await Promise.race([loadPlugin(tree, entry.id), tooLate]);
      const found = guardServers(all);
      const children = found.map(({ child }) => child);
      published.container = { entry: { ...entry, load, children }, found, origin: 'client' };
    } catch (error) {
      const message = (error instanceof Error ? error.message : 'it could not be read').slice(0, MAX_MESSAGE_CHARS);
      published.container = { entry: { ...entry, load: { kind: 'error', message } }, found: [], origin: 'client' };
    } finally {
      clock.clearTimeout(late);
    }
    if (published.isWanted) onChanged();
  }
}

/** A client's ids are prefixed with its client id, because other clients may use the same ones (OQ-76). */
function entryOf(clientId: string, declared: ClientPluginCustomization): LoadedContainer['entry'] {
  const { id, uri, name, enablement, version, icons } = declared;
  return {
    id: `${clientId}:${id}`,
    uri,
    name: oneLine(name, MAX_NAME_CHARS) ?? 'plugin',
    ...(icons && { icons }),
    ...(enablement && { enablement }),
    ...(version !== undefined && { version }),
    clientId,
    load: { kind: 'loading' },
    type: 'plugin',
  };
}

/** Takes over the name of a plugin that need not be read again, and whether it is enabled. */
function reused(known: Published, declared: ClientPluginCustomization): Published {
  const { name } = entryOf(known.clientId, declared);
  const { enablement } = declared;
  const { entry } = known.container;
  if (entry.type === 'plugin') known.container = { ...known.container, entry: { ...entry, name, enablement } };
  return known;
}

function isUnchanged(before: ClientPluginCustomization, now: ClientPluginCustomization): boolean {
  return now.nonce !== undefined && now.nonce === before.nonce && now.uri === before.uri;
}

function unique(plugins: readonly ClientPluginCustomization[]): ClientPluginCustomization[] {
  return [
    ...new Map(
      plugins.filter(({ id }) => id.length <= MAX_DESCRIPTION_CHARS).map((plugin) => [plugin.id, plugin]),
    ).values(),
  ];
}
