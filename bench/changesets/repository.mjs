import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A repository with that many committed files of forty lines, in folders of a hundred. */
export function makeRepository(files) {
  const folder = mkdtempSync(join(tmpdir(), 'ahpd-bench-repository-'));
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
    /** Changes two lines in each of the first files. */
    edit(count) {
      edits++;
      for (let index = 0; index < count; index++) writeFileSync(path(folder, index), text(index, edits));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function path(folder, index) {
  return join(folder, `d${Math.floor(index / 100)}`, `file${index}.txt`);
}

function text(index, edit) {
  return Array.from({ length: 40 }, (_, line) => `line ${line} of ${index}${line < 2 ? ` edit ${edit}` : ''}\n`).join(
    '',
  );
}
