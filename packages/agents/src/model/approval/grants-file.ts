import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { Log } from '@moorage/host/ports';
import { strict, type Validator } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';

/** Grants that are kept for one folder. */
const MAX_FOLDER_GRANTS = 1_000;

type ByFolder = Record<string, string[]>;

const schema: Validator<ByFolder> = strict(Type.Record(Type.Array(Type.String())));

/** What users always allow, by folder, in a file that only they can read. What they remove from it is asked about again. */
export class GrantsFile {
  readonly #path: string;
  readonly #log: Log | undefined;
  #byFolder = new Map<string, Set<string>>();
  /** Identifies the version of the file that was last read or written. */
  #seen = '';

  constructor(path: string, log?: Log) {
    this.#path = path;
    this.#log = log;
  }

  allows(folder: string, key: string): boolean {
    this.#refresh();
    return this.#byFolder.get(folder)?.has(key) ?? false;
  }

  /** Returns whether it was stored. */
  add(folder: string, key: string): boolean {
    this.#refresh();
    const keys = this.#byFolder.get(folder) ?? new Set();
    if (keys.has(key)) return true;
    if (keys.size >= MAX_FOLDER_GRANTS) return false;
    keys.add(key);
    this.#byFolder.set(folder, keys);
    return this.#write();
  }

  #refresh(): void {
    const now = this.#state();
    if (now === this.#seen) return;
    this.#seen = now;
    this.#byFolder = new Map(Object.entries(this.#read()).map(([folder, keys]) => [folder, new Set(keys)]));
  }

  #state(): string {
    const stat = statSync(this.#path, { throwIfNoEntry: false, bigint: true });
    return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : '';
  }

  /** A file that is missing or damaged allows nothing. */
  #read(): ByFolder {
    try {
      return schema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) this.#warn('read', error);
      return {};
    }
  }

  #write(): boolean {
    const value = Object.fromEntries([...this.#byFolder].map(([folder, keys]) => [folder, [...keys]]));
    try {
      writeFileSync(`${this.#path}.new`, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(`${this.#path}.new`, this.#path);
      this.#seen = this.#state();
      return true;
    } catch (error) {
      this.#warn('written', error);
      return false;
    }
  }

  #warn(what: string, error: unknown): void {
    this.#log?.write('warn', 'agent.grants-failed', `what users always allow could not be ${what}`, {
      error: String(error),
    });
  }
}
