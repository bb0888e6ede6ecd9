import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { run } from '../../../../tests/support/run-from-small-process.js';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { Scratch } from '../../src/adapters/shared/git/scratch.js';
import { ObjectReader } from '../../src/adapters/workspace-git/objects/object-reader.js';
import { ObjectWriter } from '../../src/adapters/workspace-git/objects/object-writer.js';

let directory = '';
let reader: ObjectReader;
let writer: ObjectWriter;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'moorage-objects-'));
  run('git', ['init', '--quiet', '--bare', directory]);
  writer = new ObjectWriter(directory, 'sha1', nodeClock, new Scratch(join(directory, 'scratch')));
  reader = new ObjectReader(directory, nodeClock);
  reader.setWriter(writer);
});

afterEach(() => {
  reader.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('an object', () => {
  it('is read before it is on disk, and git has it after a flush', async () => {
    const id = writer.write('blob', Buffer.from('hello\n'));
    expect(knownToGit(id)).toBe(false);
    expect((await reader.read(id))?.content.toString()).toBe('hello\n');
    expect(await reader.sizes([id])).toEqual([6]);
    writer.flush();
    expect(writer.unwritten(id)).toBeUndefined();
    expect(git('cat-file', '-p', id)).toBe('hello\n');
    expect((await reader.read(id))?.content.toString()).toBe('hello\n');
  });

  it('has its size also when it comes to the disk while that is asked for', async () => {
    const written = writer.write('blob', Buffer.from('on disk\n'));
    writer.flush();
    const waiting = writer.write('blob', Buffer.from('hello\n'));
    const sizes = reader.sizes([written, waiting]);
    writer.flush();
    expect(await sizes).toEqual([8, 6]);
  });

  it('comes to the disk by itself', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => writer.write('blob', Buffer.from(`${index}`)));
    await vi.waitFor(() => expect(ids.every(knownToGit)).toBe(true), { timeout: 20_000, interval: 100 });
  });

  it('that cannot be written leaves nothing behind, and is written when that works again', () => {
    const id = writer.write('blob', Buffer.from('hello\n'));
    const folder = join(directory, 'objects', id.slice(0, 2));
    symlinkSync(join(directory, 'nowhere'), folder); // as a disk that is gone
    expect(() => writer.flush()).toThrow();
    expect(readdirSync(join(directory, 'scratch'))).toEqual([]);
    rmSync(folder);
    writer.flush();
    expect(knownToGit(id)).toBe(true);
  });

  it.each(['sha1', 'sha256'])(
    'is written with others as one pack when there are many, which git finds whole (%s)',
    async (format) => {
      rmSync(directory, { recursive: true });
      run('git', ['init', '--quiet', '--bare', `--object-format=${format}`, directory]);
      writer = new ObjectWriter(directory, format, nodeClock, new Scratch(join(directory, 'scratch')));
      const sizes = [0, 1, 15, 16, 17, 2_047, 2_048, 70_000, ...Array.from({ length: 400 }, (_, at) => at)];
      const contents = sizes.map((size, at) => Buffer.alloc(size, `${at} `));
      const ids = contents.map((content) => writer.write('blob', content));
      const tree = writer.write('tree', Buffer.concat([Buffer.from('100644 a\0'), Buffer.from(ids[7] ?? '', 'hex')]));
      writer.flush();
      expect(git('count-objects', '-v')).toMatch(/^count: 0$[\s\S]*^packs: 1$/m);
      git('fsck', '--full', '--strict'); // fails if a checksum, a size or an offset is wrong
      expect(git('cat-file', '-p', `${tree}:a`)).toBe(contents[7]?.toString());
      for (const [at, id] of ids.entries()) expect((await reader.read(id))?.content).toEqual(contents[at]);

      await writer.sync(ids);
      for (const content of contents) writer.write('blob', content);
      writer.flush();
      expect(git('count-objects', '-v')).toMatch(/^count: 0$[\s\S]*^packs: 1$/m);
      expect(writer.packs).toBe(1);
    },
  );

  it('does not wait in memory when much does', () => {
    const ids = Array.from({ length: 3 }, (_, index) => writer.write('blob', Buffer.alloc(8 * 1024 * 1024, index)));
    expect(ids.map((id) => writer.unwritten(id))).toEqual([undefined, undefined, undefined]);
    expect(ids.every(knownToGit)).toBe(true);
  });
});

function knownToGit(id: string): boolean {
  try {
    git('cat-file', '-e', id);
    return true;
  } catch {
    return false;
  }
}

function git(...args: string[]): string {
  return run('git', ['--git-dir', directory, ...args]).toString();
}
