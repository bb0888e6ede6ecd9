import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../../tests/support/run-from-small-process.js';

/** What git itself says of copies of a folder, in a plain repository that knows nothing of the user's one. */
export class Truth {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    this.#git('init', '-q');
    writeFileSync(join(folder, '.git', 'info', 'attributes'), '* -text -ident -filter -working-tree-encoding\n');
  }

  /** A tree of the files in a folder, without its repositories and without these paths. */
  remember(source: string, hidden: readonly string[]): string {
    // tar rather than node's own copy, which changes names that are not UTF-8
    const without = ['.git', ...hidden].map((path) => `--exclude=${path}`);
    const tar = run('tar', ['-C', source, '-c', ...without, '.']);
    run('find', [
      this.#folder,
      '-mindepth',
      '1',
      '-maxdepth',
      '1',
      '!',
      '-name',
      '.git',
      '-exec',
      'rm',
      '-rf',
      '{}',
      '+',
    ]);
    run('tar', ['-C', this.#folder, '-x'], { input: tar });
    this.#git('add', '--all', '--force', '.');
    return this.#git('write-tree').toString().trim();
  }

  /** As `describeChange` writes them. */
  compare(from: string, to: string): string[] {
    const raw = this.#git('diff-tree', '-r', '-z', '-M', '--no-abbrev', '--raw', from, to).toString().split('\0');
    const counts = this.#git('diff-tree', '-r', '-z', '-M', '--numstat', from, to).toString().split('\0');
    const changes: string[] = [];
    for (let at = 0, count = 0; at + 1 < raw.length; at++) {
      const [oldMode = '', newMode = '', oldId = '', newId = '', kind = ''] = (raw[at] ?? '').slice(1).split(' ');
      const oldPath = raw[++at];
      const newPath = kind.startsWith('R') ? raw[++at] : oldPath;
      const [added, removed] = (counts[count] ?? '').split('\t').map((n) => (n === '-' ? null : Number(n)));
      count += kind.startsWith('R') ? 3 : 1;
      const before = kind === 'A' ? null : [oldPath, oldMode, oldId];
      const after = kind === 'D' ? null : [newPath, newMode, newId];
      changes.push(JSON.stringify([before, after, added, removed]));
    }
    return changes;
  }

  content(id: string): Buffer {
    return this.#git('cat-file', 'blob', id);
  }

  #git(...args: string[]): Buffer {
    return run('git', args, { cwd: this.#folder, env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } });
  }
}
