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
  readonly #ifLost = { again: () => this.changed() };
  #timer: unknown;

  constructor(clock: Clock, root: RootService, terminals: () => Iterable<Terminal>) {
    this.#clock = clock;
    this.#root = root;
    this.#terminals = terminals;
  }

  /** `undo` is called if the change cannot be stored. */
  changed(undo?: () => void): void {
    this.stop();
    const terminals = [...this.#terminals()].map(infoOf);
    this.#root.setTerminals(terminals, undo ? { ...this.#ifLost, undo } : this.#ifLost);
  }

  /** Delayed, for what programs may change in a loop. */
  changedSoon(): void {
    this.#timer ??= this.#clock.setTimeout(() => this.changed(), CATALOGUE_MS);
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
