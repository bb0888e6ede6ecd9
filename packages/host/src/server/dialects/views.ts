import { CloseCodes } from '@moorage/protocol';
import type { Dialect } from '@moorage/protocol/versions';
import { Crowd, type SharedForm } from '../../core/crowd.js';
import type { Door } from '../../core/door.js';
import type { Clock } from '../../ports/clock.js';
import type { SharedWay } from '../../ports/transport.js';
import type { Connection } from '../connection.js';
import type { DispatchMemory } from '../dispatch-memory.js';
import type { HostDirectory } from './directory.js';
import { GuestView } from './guest-view.js';
import { NativeView } from './native-view.js';
import { TranslatedView } from './translated-view.js';
import { Translator } from './translator.js';
import type { ClientView } from './view.js';
import { isServerAction, stripMessage, WithoutAppsView } from './without-apps.js';

export interface ViewsOptions {
  readonly door: Door;
  readonly clock: Clock;
  readonly directory: HostDirectory;
  readonly dispatches: DispatchMemory;
}

/** Makes the view of each client, by its version and capabilities. All clients of a version share one translator. */
export class Views {
  readonly #options: ViewsOptions;
  readonly #translators = new Map<Dialect, Translator>();
  readonly #crowds = new WeakMap<SharedWay, Map<string, Crowd>>();

  constructor(options: ViewsOptions) {
    this.#options = options;
  }

  of(connection: Connection): ClientView {
    const { onlySession } = connection;
    const full = this.#fullView(connection);
    const view = onlySession === undefined ? full : new GuestView(full, onlySession);
    return showsApps(connection) ? view : new WithoutAppsView(view);
  }

  /** Those at its gateway that see the host as it does; undefined for a client that is at none. */
  crowdOf({ shared, dialect, onlySession, profile }: Connection): Crowd | undefined {
    if (!shared || onlySession !== undefined) return undefined;
    const crowds = this.#crowds.get(shared.way) ?? new Map<string, Crowd>();
    this.#crowds.set(shared.way, crowds);
    const apps = showsApps({ profile });
    const name = `${dialect.name}${apps ? ' with apps' : ''}`;
    const crowd = crowds.get(name) ?? new Crowd(shared.way, this.#formOf(dialect, apps));
    crowds.set(name, crowd);
    return crowd;
  }

  #formOf(dialect: Dialect, apps: boolean): SharedForm {
    const translator = this.#translatorOf(dialect);
    const form: SharedForm = translator ? (message) => translator.forAll(message) : (message) => [message];
    return apps ? form : (message) => form(message)?.map((one) => (isServerAction(message) ? stripMessage(one) : one));
  }

  #translatorOf(dialect: Dialect): Translator | undefined {
    if (!dialect.down) return undefined;
    const translator = this.#translators.get(dialect) ?? new Translator(dialect.down, this.#options.directory);
    this.#translators.set(dialect, translator);
    return translator;
  }

  #fullView(connection: Connection): ClientView {
    const { door, clock, directory, dispatches } = this.#options;
    const { dialect } = connection;
    const translator = this.#translatorOf(dialect);
    if (!translator) return new NativeView(door, directory, connection);
    const disconnect = () =>
      connection.peer.close(CloseCodes.TryAgainLater, 'the conversation was replaced; reconnect to see it');
    const onStale = () => clock.defer(disconnect);
    return new TranslatedView({ door, directory, translator, dispatches, subscriber: connection, onStale });
  }
}

/** Whether the client has declared that it can show MCP Apps. */
export function showsApps({ profile }: Pick<Connection, 'profile'>): boolean {
  return profile?.capabilities?.mcpApps !== undefined;
}
