import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Log } from '@ahpd/host/ports';
import { strict, type Validator } from '@ahpd/protocol';
import Type from 'typebox';

/** Grants of one folder that are kept. */
const MAX_FOLDER_GRANTS = 1_000;

type ByFolder = Record<string, string[]>;

const schema: Validator<ByFolder> = strict(Type.Record(Type.String(), Type.Array(Type.String())));

/** What users have allowed for always, by folder, in a file that only they can read. */
export class GrantsFile {
  readonly #path: string;
  readonly #log: Log | undefined;
  readonly #byFolder: Map<string, Set<string>>;

  constructor(path: string, log?: Log) {
    this.#path = path;
    this.#log = log;
    this.#byFolder = new Map(Object.entries(this.#read()).map(([folder, keys]) => [folder, new Set(keys)]));
  }

  allows(folder: string, key: string): boolean {
    return this.#byFolder.get(folder)?.has(key) ?? false;
  }

  add(folder: string, key: string): void {
    const keys = this.#byFolder.get(folder) ?? new Set();
    if (keys.has(key) || keys.size >= MAX_FOLDER_GRANTS) return;
    keys.add(key);
    this.#byFolder.set(folder, keys);
    this.#write();
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

  #write(): void {
    const value = Object.fromEntries([...this.#byFolder].map(([folder, keys]) => [folder, [...keys]]));
    try {
      writeFileSync(`${this.#path}.new`, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(`${this.#path}.new`, this.#path);
    } catch (error) {
      this.#warn('written', error); // it still holds for as long as the host runs
    }
  }

  #warn(what: string, error: unknown): void {
    this.#log?.write('warn', `what users always allow could not be ${what}`, { error: String(error) });
  }
}
