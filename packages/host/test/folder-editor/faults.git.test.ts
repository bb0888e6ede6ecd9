import {
  type BigIntStats,
  chmodSync,
  closeSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { type EditorFileSystem, nodeFileSystem } from '../../src/adapters/folder-editor-git/file-system.js';
import { GitFolderEditor } from '../../src/adapters/folder-editor-git/folder-editor.js';
import { Git } from '../../src/adapters/shared/git/git.js';
import { Scratch } from '../../src/adapters/shared/git/scratch.js';
import { KnownModes } from '../../src/adapters/shared/known-modes.js';
import { gitWorkspaces } from '../../src/compose/git-workspaces.js';
import type { EditStep } from '../../src/ports/folder-editor.js';
import type { Workspaces } from '../../src/ports/workspace.js';
import { type Failure, failingFileSystem } from './failing-file-system.js';

/** Every kind of step: written over, created in new folders, removed, link to file and back, file to folder, mode. */
const OLD: Record<string, string> = {
  'edited.txt': '- one\n',
  'removed/deep.txt': '- gone\n',
  'link.txt': 'link edited.txt',
  'file.txt': '- a file\n',
  folder: '- in the way\n',
  'script.sh': '- run\n',
};
const NEW: Record<string, string> = {
  'edited.txt': '- two\n',
  'made/new/file.txt': '- hello\n',
  'link.txt': '- no link\n',
  'file.txt': 'link edited.txt',
  'folder/inner.txt': '- inside\n',
  'script.sh': 'x run\n',
};

let root: string;
let folder: string;
let steps: EditStep[];
let workspaces: Workspaces;

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'folder-editor-')));
  folder = join(root, 'folder');
  mkdirSync(folder);
  workspaces = gitWorkspaces({ directory: join(root, 'kept'), clock: nodeClock, log: { write: () => {} } });
  const workspace = workspaces.open(folder);
  fill(OLD);
  const before = await workspace.checkpoint({ freshness: 'exact' });
  fill(NEW);
  const changes = await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }));
  steps = changes.flatMap(({ before: from, after: to }) =>
    from && to && from.path !== to.path
      ? [
          { path: from.path, from },
          { path: to.path, to },
        ]
      : [{ path: from?.path ?? to?.path ?? '', ...(from && { from }), ...(to && { to }) }],
  );
  await workspace.keep(changes);
});
afterAll(async () => {
  await workspaces.close();
  rmSync(root, { recursive: true, force: true });
});

/** Contents are read through one process for all. */
function editorOn(fs: EditorFileSystem = nodeFileSystem): GitFolderEditor {
  const { id } = workspaces.open(folder);
  const read = async (contentId: string) => {
    const content = await workspaces.read(id, contentId);
    return content instanceof Uint8Array ? content : undefined;
  };
  return new GitFolderEditor({
    git: new Git(),
    folder,
    directory: join(root, 'kept', id),
    modes: new KnownModes(folder, join(root, 'modes.json')),
    scratch: new Scratch(join(root, 'scratch')),
    fs,
    read,
    has: (ids) => Promise.all(ids.map(async (contentId) => (await read(contentId)) !== undefined)),
  });
}

function fill(files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (content.startsWith('link ')) symlinkSync(content.slice(5), join(folder, path));
    else writeFileSync(join(folder, path), content.slice(2));
    if (content.startsWith('x')) chmodSync(join(folder, path), 0o755);
  }
}

function found(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    const full = join(folder, path);
    if (entry.isSymbolicLink()) files[path] = `link ${readlinkSync(full)}`;
    else if (entry.isFile()) files[path] = `${lstatSync(full).mode & 0o100 ? 'x' : '-'} ${readFileSync(full, 'utf8')}`;
  }
  return files;
}

/** How many file-system steps it takes when nothing fails. */
async function count(): Promise<number> {
  fill(OLD);
  const { fs, steps: taken } = failingFileSystem(Number.POSITIVE_INFINITY, 'once');
  await editorOn(fs).apply('count', steps);
  expect(found()).toEqual(NEW);
  return taken();
}

it('does every kind of step', async () => {
  expect(steps.length).toBeGreaterThanOrEqual(8);
  expect(await count()).toBeGreaterThan(60);
});

describe.each<Failure>(['once', 'diskFull', 'dead'])('when the file system fails: %s', (failure) => {
  it('at any step, either nothing or everything happened, at the latest after the next start', async () => {
    const total = await count();
    for (let failAt = 0; failAt < total; failAt++) {
      fill(OLD);
      const { fs } = failingFileSystem(failAt, failure);
      const error = await editorOn(fs)
        .apply('attempt', steps)
        .catch((cause: unknown) => cause as Error & { kind?: string });
      const name = `${failure} at step ${failAt}: ${error}`;
      if (failure === 'once') {
        // What had been done was put back at once; a failure to tidy up afterwards is none.
        expect(found(), name).toEqual(error ? OLD : withRest(NEW));
        if (error) expect(error.kind, name).toBe('refused');
      }
      const outcome = await editorOn().settle('attempt', steps);
      expect(found(), name).toEqual(outcome === 'finished' ? NEW : OLD);
    }
  });
});

it('dies again at any step of settling, either nothing or everything happened in the end', async () => {
  const total = await count();
  const parts = process.env.FAULTS_RUNS ? [0.5, 0.75, 0.875] : [0.5];
  for (const failAt of parts.map((part) => Math.floor(total * part))) {
    for (let again = 0, isDone = false; !isDone; again++) {
      fill(OLD);
      await editorOn(failingFileSystem(failAt, 'dead').fs)
        .apply('attempt', steps)
        .catch(() => undefined);
      isDone = await editorOn(failingFileSystem(again, 'dead').fs)
        .settle('attempt', steps)
        .then(
          () => true,
          () => false,
        );
      const outcome = await editorOn().settle('attempt', steps);
      expect(found(), `dead at step ${failAt}, and at ${again} of settling`).toEqual(
        outcome === 'finished' ? NEW : OLD,
      );
    }
  }
});

/** The attempt's own folder may be left when it could not be removed. */
function withRest(files: Readonly<Record<string, string>>): Record<string, string> {
  const rest = Object.entries(found()).filter(([path]) => path.startsWith('.moorage-'));
  return { ...files, ...Object.fromEntries(rest) };
}

describe('somebody else writes meanwhile', () => {
  /** A program that has the old file open, wherever it is by now; once. */
  const openOld = () => {
    const handle = openSync(join(folder, 'edited.txt'), 'r+');
    let isWritten = false;
    return () => {
      if (isWritten) return;
      isWritten = true;
      ftruncateSync(handle);
      writeSync(handle, 'just now\n', 0);
      closeSync(handle);
    };
  };

  it('in the old file while it is exchanged: their work stays, nothing else happens', async () => {
    fill(OLD);
    const write = openOld();
    const replace = async (from: string, to: string, expected: BigIntStats) => {
      const isReplaced = await nodeFileSystem.replace(from, to, expected);
      if (to.endsWith('edited.txt')) write();
      return isReplaced;
    };
    const fs = { ...nodeFileSystem, replace } as EditorFileSystem;
    await expect(editorOn(fs).apply('meanwhile', steps)).rejects.toThrow('edited.txt was written to');
    expect(found()).toEqual({ ...OLD, 'edited.txt': '- just now\n' });
  });

  it('in the old file while it is exchanged, and the host dies at any step after that: their work is there', async () => {
    for (let later = 0, isDead = true; isDead; later++) {
      fill(OLD);
      const write = openOld();
      let last = Number.POSITIVE_INFINITY;
      const counting = failingFileSystem(Number.POSITIVE_INFINITY, 'once');
      const dying = Object.fromEntries(
        Object.entries(counting.fs).map(([name, run]) => [
          name,
          async (...args: unknown[]) => {
            if (counting.steps() > last) {
              isDead = true;
              throw Object.assign(new Error('dead'), { code: 'EIO' });
            }
            const result = await (run as (...all: unknown[]) => Promise<unknown>)(...args);
            if (name === 'replace' && String(args[1]).endsWith('edited.txt') && last === Number.POSITIVE_INFINITY) {
              write();
              last = counting.steps() + later;
            }
            return result;
          },
        ]),
      );
      isDead = false;
      await editorOn(dying as unknown as EditorFileSystem)
        .apply('meanwhile', steps)
        .catch(() => undefined);
      if (isDead) expect(await editorOn().settle('meanwhile', steps), `dead ${later} steps later`).toBe('rolledBack');
      expect(found(), `dead ${later} steps later`).toEqual({ ...OLD, 'edited.txt': '- just now\n' });
    }
  });

  /** As editors do: another file takes the place of the old one. */
  const save = () => {
    writeFileSync(join(root, 'saved'), 'saved\n');
    renameSync(join(root, 'saved'), join(folder, 'edited.txt'));
  };

  it('a whole new file over the old one, at any step: theirs stays', async () => {
    const total = await count();
    for (let at = Math.floor(total / 2); at < total; at++) {
      fill(OLD);
      const { fs } = failingFileSystem(Number.POSITIVE_INFINITY, 'once', (index) => index === at && save());
      const error = await editorOn(fs)
        .apply('saved', steps)
        .catch((cause: unknown) => cause);
      const name = `saved before step ${at}: ${error}`;
      expect(found(), name).toEqual({ ...(error ? OLD : withRest(NEW)), 'edited.txt': '- saved\n' });
    }
  });

  it('a whole new file over the new one, at any step of putting all back: theirs stays', async () => {
    const total = await count();
    const failure = total - 5; // late enough that all is exchanged
    for (let at = failure, isBack = false; !isBack; at++) {
      fill(OLD);
      const { fs, steps: taken } = failingFileSystem(failure, 'once', (index) => index === at && save());
      await expect(editorOn(fs).apply('saved', steps)).rejects.toThrow();
      isBack = taken() <= at;
      const edited = isBack ? OLD['edited.txt'] : '- saved\n';
      expect(found(), `saved before step ${at}`).toEqual({ ...OLD, 'edited.txt': edited });
    }
  });

  it('a whole new file over the old one, and the host dies soon after: theirs is there', async () => {
    const total = await count();
    for (let at = Math.floor(total / 2); at < total; at++) {
      const later = [1, 2, 3, 5, 8][at % 5] ?? 0;
      fill(OLD);
      const { fs } = failingFileSystem(at + later, 'dead', (index) => index === at && save());
      await editorOn(fs)
        .apply('saved', steps)
        .catch(() => undefined);
      const outcome = await editorOn().settle('saved', steps);
      const name = `saved before step ${at}, dead ${later} later: ${outcome}`;
      expect(found(), name).toEqual({ ...(outcome === 'finished' ? NEW : OLD), 'edited.txt': '- saved\n' });
    }
  });

  it('a new file where one should be made: theirs stays', async () => {
    fill(OLD);
    const link = async (from: string, to: string) => {
      if (to.endsWith('made/new/file.txt')) writeFileSync(to, 'mine\n');
      return nodeFileSystem.link(from, to);
    };
    const fs = { ...nodeFileSystem, link } as EditorFileSystem;
    await expect(editorOn(fs).apply('created', steps)).rejects.toThrow('made/new/file.txt was written to');
    expect(found()).toEqual({ ...OLD, 'made/new/file.txt': '- mine\n' });
  });

  it('after the host died half way: what is theirs stays, the rest is put back', async () => {
    fill(OLD);
    const { fs } = failingFileSystem(await halfWay(), 'dead');
    await editorOn(fs)
      .apply('half', steps)
      .catch(() => undefined);
    writeFileSync(join(folder, 'edited.txt'), 'later\n');
    expect(await editorOn().settle('half', steps)).toBe('rolledBack');
    expect(found()).toEqual({ ...OLD, 'edited.txt': '- later\n' });
  });

  it('where links cannot be made, files are exchanged all the same', async () => {
    fill(OLD);
    const link = () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }));
    await editorOn({ ...nodeFileSystem, link } as EditorFileSystem).apply('nolinks', steps);
    expect(found()).toEqual(NEW);
  });

  async function halfWay(): Promise<number> {
    let seen = 0;
    let at = 0;
    const counting = failingFileSystem(Number.POSITIVE_INFINITY, 'once');
    const rename = (from: string, to: string) => {
      if (++seen === 3) at = counting.steps();
      return counting.fs.rename(from, to);
    };
    await editorOn({ ...counting.fs, rename } as EditorFileSystem).apply('probe', steps);
    fill(OLD);
    return at;
  }
});
