import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../src/adapters/files-node/index.js';

/** Writes a file of one letter after another, in every mode that replaces it, until somebody ends it. */
const WRITER = `
  import { nodeFiles } from '@moorage/host';
  const [, path] = process.argv;
  const files = nodeFiles({ directory: path + '-notes' });
  const scope = { may: () => true };
  const base = { position: 0, createOnly: false, maxBytes: 1e9 };
  for (let round = 0; ; round++) {
    const data = Buffer.alloc(1_000_000, 'abcdefgh'[round % 8]);
    await files.write(path, scope, { ...base, data, mode: 'truncate' });
    if (round === 3) process.stdout.write('going');
  }
`;

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-kill-')));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it('a process that is killed while it writes leaves the old file or the new one', async () => {
  const path = join(folder, 'f');
  writeFileSync(path, 'x'.repeat(1_000_000));
  chmodSync(path, 0o640);
  for (let round = 0; round < 3; round++) {
    const writer = spawn(process.execPath, ['--input-type=module', '-e', WRITER, path], { cwd: import.meta.dirname });
    child = writer;
    await new Promise((resolve) => writer.stdout.once('data', resolve));
    for (let turns = 0; turns < round * 3; turns++) await new Promise(setImmediate); // at another moment each time
    const gone = new Promise((resolve) => writer.once('exit', resolve));
    writer.kill('SIGKILL');
    await gone;
    const content = readFileSync(path, 'utf8');
    nodeFiles({ directory: `${path}-notes` });
    expect(readdirSync(folder).sort()).toEqual(['f', 'f-notes']);
    expect(readdirSync(`${path}-notes`)).toEqual([]);
    expect([content.length, new Set(content).size, statSync(path).mode & 0o777]).toEqual([1_000_000, 1, 0o640]);
  }
});

it('the next process takes away what a killed one was writing, and nothing else', () => {
  const notes = join(folder, 'notes');
  const work = join(folder, 'work');
  const left = `.moorage-${crypto.randomUUID()}.tmp`;
  const others = ['mine.txt', `.moorage-${crypto.randomUUID()}.tmp`]; // the second is of another host
  for (const path of [notes, work]) mkdirSync(path);
  for (const name of [left, ...others]) writeFileSync(join(work, name), name);
  writeFileSync(join(notes, left), join(work, left));
  writeFileSync(join(notes, 'mine.txt'), join(work, 'mine.txt')); // a note that nobody of us wrote
  writeFileSync(join(notes, 'cut-short'), '');
  nodeFiles({ directory: notes });
  expect(readdirSync(work).sort()).toEqual([...others].sort());
  expect(readdirSync(notes)).toEqual([]);
});
