import type { TerminalInfo } from '@moorage/protocol';
import type { Clock } from '../../ports/clock.js';
import type { RootService } from '../root/root-service.js';
import { CATALOGUE_MS } from './limits.js';
import type { Terminal } from './terminal.js';

/** Maintains the list of terminals on the root channel. Every change sends the whole list (B-96, OQ-89). */
export class Catalogue {
  readonly #clock: Clock;
  readonly #root: RootService;
  readonly #terminals: () => Iterable<Terminal>;
  #timer: unknown;

  constructor(clock: Clock, root: RootService, terminals: () => Iterable<Terminal>) {
    this.#clock = clock;
    this.#root = root;
    this.#terminals = terminals;
  }

  changed(): void {
    this.stop();
    this.#root.setTerminals([...this.#terminals()].map(infoOf));
  }

  /** Delayed, for what programs may change in a loop. */
  changedSoon(milliseconds = CATALOGUE_MS): void {
    this.#timer ??= this.#clock.setTimeout(() => this.changed(), milliseconds);
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

function infoOf({ channel: { uri, state } }: Terminal): TerminalInfo {
  const { title, claim, lifecycle } = state;
  return { resource: uri, title, claim, lifecycle };
}
