import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type URI } from '@moorage/protocol';

/** A session that a host has taken, or is taking. */
export interface Taken {
  /** The epoch in which it is this host's. */
  readonly epoch: number;
  /** Set until it is here: if the host dies before, it goes on when it starts again. */
  readonly taking?: { readonly folders: readonly TakingFolder[] } | undefined;
}

/** A folder that was made for a session. */
export interface TakingFolder {
  readonly path: string;
  /** What its records were kept by on the other host; undefined for the session's first folder. */
  readonly was?: string | undefined;
}

const NAME = 'fleet-taken.json';

/** What a host must know of such sessions after any crash, in a file of its data folder. */
export class TakenFile {
  readonly #file: string;
  readonly #taken: Map<URI, Taken>;

  constructor(dataDir: string) {
    this.#file = join(dataDir, NAME);
    this.#taken = new Map(readTaken(this.#file));
  }

  get all(): ReadonlyMap<URI, Taken> {
    return this.#taken;
  }

  /** In which epochs the host writes to them. */
  epochs(): Readonly<Record<URI, number>> {
    return Object.fromEntries([...this.#taken].map(([session, { epoch }]) => [session, epoch]));
  }

  /** On disk when this returns. */
  set(session: URI, taken: Taken | undefined): void {
    if (taken) this.#taken.set(session, taken);
    else if (!this.#taken.delete(session)) return;
    const unfinished = `${this.#file}.new`;
    const file = openSync(unfinished, 'w', 0o600);
    try {
      writeSync(file, `${JSON.stringify(Object.fromEntries(this.#taken))}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, this.#file);
  }
}

function readTaken(file: string): [URI, Taken][] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const broken = new Error(
    `${file} is damaged: restore it from a backup. Without it, sessions that were taken here are not shipped`,
  );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken;
  }
  if (!isObject(value)) throw broken;
  const all = Object.entries(value);
  if (!all.every(([, one]) => isObject(one) && Number.isSafeInteger(one.epoch))) throw broken;
  return all as [URI, Taken][];
}
