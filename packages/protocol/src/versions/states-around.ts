import type { ChannelKind } from '../channels/kind.js';
import type { URI } from '../common/uri.js';
import type { Change, Directory } from './dialect.js';
import type { StateForms } from './shared/pieces/in-states.js';
import type { WireObject } from './shared/wire.js';
import type { Around } from './step.js';

/** The states around a change in the form of one version, each made from that of the version above when it is asked for. */
export class States implements Around {
  readonly native: Change;
  readonly directory: Directory;
  readonly #later: States | undefined;
  readonly #forms: StateForms | undefined;
  readonly #made = new Map<'before' | 'after' | 'session', WireObject | undefined>();
  #areNeeded = false;

  constructor(native: Change, directory: Directory, later?: States, forms?: StateForms) {
    this.native = native;
    this.directory = directory;
    this.#later = later;
    this.#forms = forms;
  }

  get channel(): URI {
    return this.native.channel;
  }

  get before(): WireObject | undefined {
    return this.#state('before', this.native.kind, this.channel);
  }

  get after(): WireObject | undefined {
    return this.#state('after', this.native.kind, this.channel);
  }

  get session(): WireObject | undefined {
    const { session } = this.native;
    return session && this.#state('session', 'session', session.uri);
  }

  get areNeeded(): boolean {
    return this.#later?.areNeeded || this.#areNeeded;
  }

  needsStates(): void {
    if (this.native.after === undefined) this.#areNeeded = true;
  }

  #state(name: 'before' | 'after' | 'session', kind: ChannelKind, channel: URI): WireObject | undefined {
    if (this.#made.has(name)) return this.#made.get(name);
    const made = this.#make(name, kind, channel);
    this.#made.set(name, made);
    return made;
  }

  #make(name: 'before' | 'after' | 'session', kind: ChannelKind, channel: URI): WireObject | undefined {
    if (!this.#later) {
      const state = name === 'session' ? this.native.session?.state : this.native[name];
      return state as WireObject | undefined;
    }
    const later = this.#later[name];
    return later && (this.#forms?.[kind]?.(later, { channel, directory: this.directory }) ?? later);
  }
}
