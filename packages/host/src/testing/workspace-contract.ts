import { lstatSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type FileChange,
  type FileVersion,
  type StateId,
  type Workspace,
  WorkspaceError,
  type Workspaces,
} from '../ports/workspace.js';
import { useRepository } from './user-repository.js';
import { CHANGE_CASES, placeOf } from './workspace-contract-changes.js';

/** The contract of Workspaces, as a vitest suite. `open` starts an instance on what earlier ones left in that folder. */
export function describeWorkspaces(name: string, open: (directory: string) => Workspaces): void {
  describe(`${name} is a Workspaces`, () => {
    const user = useRepository();
    let lives: Workspaces[] = [];
    let workspaces: Workspaces;
    let workspace: Workspace;
    const nextLife = () => {
      const life = open(join(user.base, 'kept'));
      lives.push(life);
      return life;
    };
    beforeEach(() => {
      workspaces = nextLife();
      workspace = workspaces.open(user.folder);
    });
    afterEach(async () => {
      for (const life of lives) await life.close();
      lives = [];
    });
    const text = async (from: Workspaces, id: string | undefined) => {
      const content = await from.read(workspace.id, id ?? '');
      return content instanceof Uint8Array ? Buffer.from(content).toString() : content;
    };

    it('has one workspace for each folder, with the same id after a restart', () => {
      expect(workspaces.open(user.folder)).toBe(workspace);
      expect(workspaces.open(user.base).id).not.toBe(workspace.id);
      expect([workspaces.idOf(user.folder), nextLife().open(user.folder).id]).toEqual([workspace.id, workspace.id]);
    });

    describe.each([false, true])('changes of files (in a repository: %s)', (inRepository) => {
      it('are found, with contents that outlast the folder, and nothing is written to it', async () => {
        for (const each of CHANGE_CASES) each.before?.(placeOf(user.folder, each));
        if (inRepository) user.commit();
        const [before, filesBefore] = [await workspace.checkpoint({ freshness: 'exact' }), everythingIn(user.folder)];
        expect(await workspace.checkpoint({ freshness: 'exact' }), 'nothing changed').toBe(before);
        for (const each of CHANGE_CASES) each.change(placeOf(user.folder, each));
        const filesAfter = everythingIn(user.folder);
        const after = await workspace.checkpoint({ freshness: 'exact' });
        const changes = await workspace.compare(before, after);
        const found = CHANGE_CASES.map(({ name: folder }) => [folder, changes.flatMap((one) => lineOf(one, folder))]);
        expect(Object.fromEntries(found)).toEqual(
          Object.fromEntries(CHANGE_CASES.map(({ name: folder, expected }) => [folder, expected])),
        );
        await workspace.keep(changes);
        const composed = [
          await workspace.compose(changes.flatMap((one) => one.before ?? [])),
          await workspace.compose(changes.flatMap((one) => one.after ?? [])),
        ] as const;
        expect(await workspace.compare(...composed), 'composed of what differs').toEqual(changes);
        expect(everythingIn(user.folder)).toEqual(filesAfter);
        rmSync(user.folder, { recursive: true });
        const later = nextLife();
        for (const { before: old, after: now } of changes) {
          if (old) expect(await kept(later, workspace.id, old), old.path).toEqual(filesBefore.get(old.path));
          if (now) expect(await kept(later, workspace.id, now), now.path).toEqual(filesAfter.get(now.path));
        }
      });
    });

    it('reports on the repository, and that there is none', async () => {
      user.write('a', 'one\n');
      expect(await workspace.describe({ freshness: 'exact' })).toEqual({ git: false, keptBytes: expect.any(Number) });
      expect(await workspace.reference('head', { freshness: 'exact' })).toBeUndefined();
      user.commit();
      user.git('switch', '--quiet', '--create', 'topic');
      user.commit({ b: 'committed on the branch\n' });
      user.write('c', 'not committed\n');
      const now = await workspace.checkpoint({ freshness: 'exact' });
      const since = async (state: string | undefined) =>
        (await workspace.compare(state ?? '', now)).map(({ after }) => after?.path);
      expect(await workspace.describe({ freshness: 'exact', baseBranch: 'main' })).toMatchObject({
        git: true,
        baseBranch: 'main',
      });
      expect(await since(await workspace.reference('head', { freshness: 'exact' }))).toEqual(['c']);
      expect(await since(await workspace.reference('mergeBase', { freshness: 'exact', baseBranch: 'main' }))).toEqual([
        'b',
        'c',
      ]);
      const [first = '', second = ''] = user.git('rev-list', '--reverse', 'HEAD').trim().split('\n');
      const inCommit = async (commit: string) => {
        const states = await workspace.ofCommit(commit, { freshness: 'exact' });
        const changes = states && (await workspace.compare(states.before, states.after));
        return changes?.map(({ before, after }) => [before?.path, after?.path]);
      };
      expect(await inCommit(first)).toEqual([[undefined, 'a']]);
      expect(await inCommit(second.slice(0, 8))).toEqual([[undefined, 'b']]);
      expect(await inCommit('0123456789')).toBeUndefined();
    });

    it('keeps the names of a state, also when the repository is gone', async () => {
      user.commit({ a: 'one\n', 'deep/b': 'two\n' });
      const state = await workspace.checkpoint({ freshness: 'exact' });
      await workspace.keepNames(state);
      user.write('a', 'changed\n');
      rmSync(user.at('.git'), { recursive: true });
      const again = nextLife().open(user.folder);
      const changes = await again.compare(state, await again.checkpoint({ freshness: 'exact' }));
      expect(changes.map(({ before, after }) => [before?.path, after?.path])).toEqual([['a', 'a']]);
    });

    it('returns undefined for unknown contents', async () => {
      const before = await workspace.checkpoint({ freshness: 'exact' });
      user.write('a', 'x\n');
      const [change] = await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }));
      const id = change?.after?.contentId ?? '';
      expect(await text(workspaces, id)).toBe('x\n');
      const unknown: [string, string][] = [
        [workspace.id, 'nonsense'],
        [workspace.id, '0'.repeat(id.length)],
        [workspace.id, before],
        ['../..', id],
        ['f'.repeat(workspace.id.length), id],
      ];
      for (const asked of unknown) expect(await workspaces.read(...asked), asked.join(' ')).toBeUndefined();
    });

    it('deletes what is no longer wanted, and nothing else', async () => {
      user.commit({ a: 'committed\n', 'sub/b': 'committed too\n' });
      const begin = await workspace.checkpoint({ freshness: 'exact' });
      await workspace.keepNames(begin);
      const edited = async (content: string) => {
        user.write('a', content);
        const changes = await workspace.compare(begin, await workspace.checkpoint({ freshness: 'exact' }));
        await workspace.keep(changes);
        return changes;
      };
      const [unwanted] = await edited('the first edit\n'.repeat(1_000));
      for (let n = 0; n < 20; n++) await edited(`edit ${n}\n`.repeat(1_000));
      const wanted = await edited('the last\n');
      const ids = [begin, ...wanted.flatMap(({ before, after }) => [before?.contentId ?? '', after?.contentId ?? ''])];
      const { keptBytes } = await workspace.describe({ freshness: 'exact' });
      await workspace.retain({ ids: [...ids, 'f'.repeat(begin.length)], olderThan: 0 });
      expect(await text(workspaces, unwanted?.after?.contentId), 'what is young stays').toContain('the first edit');
      await workspace.retain({ ids, olderThan: soon() });
      expect((await workspace.describe({ freshness: 'exact' })).keptBytes).toBeLessThan(keptBytes);
      rmSync(user.at('.git'), { recursive: true });
      const later = nextLife();
      expect(await text(later, unwanted?.after?.contentId)).toBeUndefined();
      expect(await text(later, wanted[0]?.before?.contentId)).toBe('committed\n');
      expect(await text(later, wanted[0]?.after?.contentId)).toBe('the last\n');
      const again = later.open(user.folder);
      expect(await again.compare(begin, await again.checkpoint({ freshness: 'exact' }))).toEqual(wanted);
    });

    it('deletes unused workspaces that are old enough', async () => {
      user.write('a', 'x\n');
      const before = await workspace.compose([]);
      const [change] = await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }));
      await workspaces.close();
      const later = nextLife();
      await later.retainOnly([workspace.id], soon());
      await later.retainOnly([], 0);
      expect(await text(later, change?.after?.contentId)).toBe('x\n');
      await later.close();
      const last = nextLife();
      await last.retainOnly([], soon());
      expect(await text(last, change?.after?.contentId)).toBeUndefined();
    });

    it('reports changes on disk until stopped', async () => {
      const listen = async () => {
        const seen = { paths: [] as string[], settled: 0, stop: () => {} };
        await new Promise<void>((watching) => {
          seen.stop = workspace.watch({
            watching,
            touched: (paths) => seen.paths.push(...paths),
            settled: () => seen.settled++,
          });
        });
        return seen;
      };
      const [one, two] = [await listen(), await listen()];
      user.write('sub/a', 'x\n');
      await expect.poll(() => [one, two].every(({ settled }) => settled > 0), PATIENT).toBe(true);
      expect(one.paths).toContain('sub/a');
      one.stop();
      const before = { ...one, paths: [...one.paths] };
      user.write('b', 'x\n');
      await expect.poll(() => two.paths, PATIENT).toContain('b');
      expect(one).toEqual(before);
      two.stop();
    });

    it('rejects while a folder is gone', async () => {
      user.write('a', 'x\n');
      const before = await workspace.checkpoint({ freshness: 'exact' });
      renameSync(user.folder, join(user.base, 'away'));
      await expect(workspace.checkpoint({ freshness: 'exact' })).rejects.toThrow(WorkspaceError);
      await expect(nextLife().open(user.folder).checkpoint({ freshness: 'exact' })).rejects.toThrow(WorkspaceError);
      renameSync(join(user.base, 'away'), user.folder);
      user.write('a', 'y\n');
      expect(await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }))).toHaveLength(1);
    });

    it('takes no checkpoint, of any freshness, while somebody changes files between two of them', async () => {
      user.commit({ a: 'one\n', b: 'one\n' });
      const before = await workspace.checkpoint({ freshness: 'exact' });
      const taken: Promise<StateId | undefined>[] = [];
      const changing = workspace.betweenCheckpoints(async () => {
        user.write('a', 'two\n');
        taken.push(workspace.checkpoint({ freshness: 'exact' }), workspace.checkpoint({ freshness: 'exact' }));
        taken.push(workspace.quickCheckpoint({ freshness: 'exact' }));
        // These do not wait for each other, and each takes about as long as a checkpoint of two files.
        for (let asked = 0; asked < 20; asked++) await workspace.describe({ freshness: 'exact' });
        user.write('b', 'two\n');
      });
      await changing;
      const after = await workspace.checkpoint({ freshness: 'exact' });
      expect(await workspace.compare(before, after)).toHaveLength(2);
      for (const state of await Promise.all(taken)) expect(state ?? after).toBe(after);
      await expect(workspace.betweenCheckpoints(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
      expect(await workspace.checkpoint({ freshness: 'exact' })).toBe(after);
    });

    it('rejects a call that is aborted, and answers the next one', async () => {
      user.commit({ a: 'one\n' });
      const before = await workspace.checkpoint({ freshness: 'exact' });
      user.write('a', 'two\n');
      const after = await workspace.checkpoint({ freshness: 'exact' });
      const changes = await workspace.compare(before, after);
      const freshness = 'exact' as const;
      const calls: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
        checkpoint: (signal) => workspace.checkpoint({ freshness, signal }),
        quickCheckpoint: (signal) => workspace.quickCheckpoint({ freshness, signal }),
        reference: (signal) => workspace.reference('mergeBase', { freshness, signal }),
        describe: (signal) => workspace.describe({ freshness, signal }),
        compare: (signal) => workspace.compare(after, before, { signal }),
        compareStored: (signal) => workspace.compareStored(after, before, { freshness, signal }),
        compose: (signal) => workspace.compose([], { signal }),
        keep: (signal) => workspace.keep(changes, { signal }),
        keepNames: (signal) => workspace.keepNames(after, { signal }),
        retain: (signal) => workspace.retain({ ids: [before, after], olderThan: 0 }, { signal }),
        retainOnly: (signal) => workspaces.retainOnly([], 0, { signal }),
      };
      for (const [name, call] of Object.entries(calls)) {
        await expect(call(AbortSignal.abort()), `${name}, aborted before`).rejects.toThrow(WorkspaceError);
        const abort = new AbortController();
        const aborted = call(abort.signal);
        abort.abort();
        await expect(aborted, `${name}, aborted while it runs`).rejects.toThrow(WorkspaceError);
        await expect(call(new AbortController().signal), `${name}, once more`).resolves.not.toThrow();
      }
      expect(await workspace.checkpoint({ freshness })).toBe(after);
      expect(await workspace.compare(before, after)).toEqual(changes);
    });

    it('aborts running work when closed, and rejects afterwards', async () => {
      const before = await workspace.checkpoint({ freshness: 'exact' });
      user.write('a', 'x\n');
      const looking = workspace.checkpoint({ freshness: 'exact' }).catch((error: unknown) => error);
      await workspaces.close();
      const found = await looking;
      expect(typeof found === 'string' || found instanceof WorkspaceError, String(found)).toBe(true);
      await expect(workspace.checkpoint({ freshness: 'exact' })).rejects.toThrow(WorkspaceError);
      await expect(workspace.compare(before, 'other')).rejects.toThrow(WorkspaceError);
      await workspaces.close();
    });
  });
}

/** Generous, so that a machine under load does not fail the suite. */
const PATIENT = { timeout: 30_000, interval: 10 };

/** A time after everything written so far. */
function soon(): number {
  return Date.now() + 60_000;
}

interface FileOnDisk {
  readonly mode: string;
  readonly content: string;
}

/** Mode and content of every file of a folder, including those of its repository. */
function everythingIn(folder: string): Map<string, FileOnDisk> {
  const found = new Map<string, FileOnDisk>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isLink = entry.isSymbolicLink();
    if (!isLink && !entry.isFile()) continue;
    const mode = isLink ? '120000' : lstatSync(path).mode & 0o100 ? '100755' : '100644';
    found.set(relative(folder, path), { mode, content: isLink ? readlinkSync(path) : readFileSync(path, 'latin1') });
  }
  return found;
}

async function kept(from: Workspaces, id: string, { contentId, mode, size }: FileVersion): Promise<FileOnDisk> {
  const content = await from.read(id, contentId);
  if (!(content instanceof Uint8Array)) throw new Error(`${contentId} is not kept`);
  expect(size).toBe(content.length);
  return { mode, content: Buffer.from(content).toString('latin1') };
}

/** A change in the form that cases expect, if it is in the folder of that case. */
function lineOf({ before, after, added, removed }: FileChange, folder: string): string[] {
  const paths = [before, after].map((version) => version?.path.slice(folder.length + 1) ?? '');
  const isHere = [before, after].some((version) => version?.path.startsWith(`${folder}/`));
  return isHere ? [[...paths, added ?? '-', removed ?? '-'].join(' ')] : [];
}
