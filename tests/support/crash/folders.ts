import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { scripted } from '../acp/scripted.js';
import type { Random } from '../random.js';
import { removeFolder } from '../remove-folder.js';
import { commitAll, gitOutput } from '../repository.js';

/** Enough that there is a middle in which to die. */
const FILES = 40;

/** What is in a data folder that nobody uses: nothing temporary. */
const DATA =
  /^(store\.sqlite(-wal(\.torn)?|-shm)?|search\.sqlite(-wal|-shm)?|audit\.jsonl|marks|sandbox|push-keys\.json|token|shells|worktrees|workspaces|agents|unfinished|host\.(json|pid)|.*\.lock|.*lock\.sqlite)$/;

/** The folders of a host that dies again and again: its data, one that agents work in, one for operations. */
export class CrashFolders {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-crash-mixed-')));
  readonly data = join(this.base, 'data');
  readonly turns = join(this.base, 'turns');
  readonly operations = join(this.base, 'operations');
  /** Where programs put their temporary files. */
  readonly temporary = join(this.base, 'tmp');
  readonly config = join(this.base, 'config.json');
  readonly #userFiles = new Map<string, string>();
  #generation = 0;

  constructor() {
    mkdirSync(this.temporary);
    for (const folder of [this.turns, this.operations]) mkdirSync(folder);
    for (let index = 0; index < FILES; index++) writeFileSync(this.#operationFile(index), `old ${index}\n`);
    writeFileSync(join(this.turns, 'README.md'), '# Crash\n');
    for (const folder of [this.turns, this.operations]) commitAll(folder);
    const { displayName, command, args } = scripted();
    const agents = { scripted: { type: 'acp', displayName, command, args } };
    writeFileSync(this.config, JSON.stringify({ agents }));
  }

  /** What a user does meanwhile, in the folder of the agents. */
  userWrites(random: Random): void {
    const name = `user-${random.below(8)}.txt`;
    const content = `${random.fraction()}\n`;
    writeFileSync(join(this.turns, name), content);
    this.#userFiles.set(name, content);
  }

  /** Changes every file that operations are about. */
  userEdits(): void {
    this.#generation++;
    for (let index = 0; index < FILES; index++)
      writeFileSync(this.#operationFile(index), `new ${this.#generation} ${index}\n`);
  }

  /** Lines that agents appended. */
  appended(name: string): Set<string> {
    try {
      return new Set(readFileSync(join(this.turns, name), 'utf8').split('\n'));
    } catch {
      return new Set();
    }
  }

  /** Nothing that the user wrote is gone, an operation was done wholly or not at all, and nothing is left lying about. */
  expectSound(): void {
    for (const [name, content] of this.#userFiles) {
      expect(readFileSync(join(this.turns, name), 'utf8'), name).toBe(content);
    }
    const states = new Set<string>();
    for (let index = 0; index < FILES; index++) {
      const content = readFileSync(this.#operationFile(index), 'utf8');
      const isOld = content === `old ${index}\n`;
      if (!isOld) expect(content).toBe(`new ${this.#generation} ${index}\n`);
      states.add(isOld ? 'old' : 'new');
    }
    expect([...states], 'an operation was done in part').toHaveLength(1);
    for (const folder of [this.turns, this.operations]) {
      expect(readdirSync(folder).filter((name) => name.startsWith('.moorage-') || /\.tmp|~$/.test(name))).toEqual([]);
      expect(gitOutput(folder, 'fsck', '--no-dangling')).toBe('');
    }
  }

  /** After it was stopped in good order. */
  expectNoLeftovers(): void {
    expect(readdirSync(this.data).filter((name) => !DATA.test(name))).toEqual([]);
    expect(this.leftovers()).toEqual([]);
  }

  /**
   * Temporary files that no process of the host is about, and files in the data folder that look as if somebody meant to rename
   * or delete them.
   */
  leftovers(commands: readonly string[] = []): string[] {
    const inData = readdirSync(this.data, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /(^|\/)(tmp|temp|\.tmp)|\.tmp|\.partial|tmp_obj|tmp_pack|(^|\/)use-|\.sock$/i.test(path),
    );
    const isUsed = (name: string) => commands.some((command) => command.includes(name));
    return [...inData, ...readdirSync(this.temporary).filter((name) => !isUsed(name))];
  }

  /** How many files of the folder for operations are not as they were committed, whatever is staged. */
  changed(): number {
    const names = gitOutput(this.operations, '--no-optional-locks', 'diff', '--name-only', 'HEAD');
    return names.split('\n').filter((line) => line !== '').length;
  }

  remove(): Promise<void> {
    return removeFolder(this.base);
  }

  #operationFile(index: number): string {
    return join(this.operations, `file-${index}.txt`);
  }
}
