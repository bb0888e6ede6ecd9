import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A repository with that many committed files, in folders of a hundred. An edit changes the first lines of a file. */
export function makeRepository(files, { lines = 40, edited = 2 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-repository-'));
  const text = (index, edit) =>
    Array.from(
      { length: lines },
      (_, line) => `line ${line} of ${index}${line < edited ? ` edit ${edit}` : ''}\n`,
    ).join('');
  const git = (...args) => execFileSync('git', ['-C', folder, '-c', 'user.name=b', '-c', 'user.email=b@b', ...args]);
  git('init', '-q', '-b', 'main');
  git('config', 'gc.auto', '0'); // it would go on behind the back of the bench
  for (let index = 0; index < files; index++) {
    if (index % 100 === 0) mkdirSync(join(folder, `d${index / 100}`));
    writeFileSync(path(folder, index), text(index, 0));
  }
  git('-c', 'core.bigFileThreshold=1', 'add', '.'); // packs them at once: one file for each takes minutes
  git('commit', '-q', '-m', 'start');
  let edits = 0;
  return {
    folder,
    /** Changes lines in each of the first files. */
    edit(count) {
      edits++;
      for (let index = 0; index < count; index++) writeFileSync(path(folder, index), text(index, edits));
    },
    /** Of the first files, as they are now. */
    bytesOf: (count) => {
      let bytes = 0;
      for (let index = 0; index < count; index++) bytes += text(index, edits).length;
      return bytes;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function path(folder, index) {
  return join(folder, `d${Math.floor(index / 100)}`, `file${index}.txt`);
}
