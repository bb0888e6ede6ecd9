// What remembering and comparing files costs, against bare git giving the same answer.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { oneEditShown } from './changesets/shown.mjs';
import { bareCheckpoint, inTurn, makeWorld, told } from './changesets/world.mjs';

export function cases({ smoke }) {
  const rounds = smoke ? 1 : 5;
  const sizes = smoke
    ? [[20, [2]]]
    : [
        [1_000, [10]],
        [10_000, [10, 1_000]],
        [100_000, [10, 1_000, 10_000]],
      ];
  const shown = smoke
    ? [[20, 2]]
    : [
        [1_000, 1],
        [10_000, 1],
        [10_000, 1_000],
      ];
  return [
    ...sizes.flatMap(([files, counts]) => rowsOf(files, counts, rounds)),
    ...shown.map(([files, changed]) => ({
      name: `one edit shown to a client, ${changed} changed among ${files} files, against git diff -- path`,
      work: 1,
      run: () => oneEditShown(files, changed, smoke ? 1 : 60),
    })),
  ];
}

/** All rows of one repository: it is made for the first of them and removed after the last. */
function rowsOf(files, counts, rounds) {
  let made;
  const world = () => {
    made ??= makeWorld(files, { tracks: false }); // each look is at everything
    return made;
  };
  let trackedWorld;
  const tracked = async () => {
    trackedWorld ??= makeWorld(files, { tracks: true });
    const it = await trackedWorld;
    // It watches from the first look on; what it looks at then counts as known.
    await told(it, () => it.edit(1));
    await it.workspace.checkpoint({ freshness: 'exact' });
    return it;
  };
  const row = (name, goal, run, of = world) => ({ name, ...goal, work: 1, run: async () => run(await of()) });
  const rows = counts.flatMap((changed) => [
    row(`checkpoint of ${files} files, ${changed} changed, against add -A and write-tree`, { atMost: 1.2 }, (it) =>
      inTurn(
        rounds,
        () => it.edit(changed),
        () => bareCheckpoint(it),
        () => it.workspace.checkpoint({ freshness: 'exact' }),
      ),
    ),
    row(
      `changes of ${files} files, ${changed} changed, against diff-tree`,
      { atMost: 1.3 },
      (it) =>
        compared(it, changed, rounds, async () => {
          await it.workspace.compare(it.from, it.to);
        }),
      tracked,
    ),
    row(
      `contents of ${changed} of ${files} files, against one cat-file --batch`,
      { atMost: 1.3 },
      async (it) => {
        const { from, to } = await twoStates(it, changed);
        const changes = await it.workspace.compare(from, to);
        return inTurn(
          rounds,
          () => {},
          () => bareContents(it, changes),
          () => ourContents(it, changes),
        );
      },
      tracked,
    ),
    row(`first files of ${files}, ${changed} changed, against git status`, { atMost: files > 10_000 ? 2 : 1.5 }, (it) =>
      inTurn(
        rounds,
        async () => {
          it.from = await it.workspace.checkpoint({ freshness: 'exact' });
          it.edit(changed);
        },
        () => it.git('status', '--porcelain'),
        () => firstFiles(it),
      ),
    ),
  ]);
  const single = { 1000: 60, 10000: 80, 100000: 300 }[files];
  rows.push(
    row(
      `one edit among ${files} files, told by the watcher, against git diff -- path`,
      single && { atLeast: single },
      async (it) => {
        const whatChanged = await afterOneEdit(it, rounds);
        return inTurn(
          rounds * 5, // an edit takes less time than a busy machine adds to some of them
          () => told(it, () => it.edit(1)),
          () => it.git('diff', '--numstat', '--', 'd0/file0.txt'),
          whatChanged,
        );
      },
      tracked,
    ),
    row(
      `one edit among ${files} files, told by the watcher, against git diff of all`,
      {},
      async (it) => {
        const whatChanged = await afterOneEdit(it, rounds);
        return inTurn(
          rounds * 5,
          () => told(it, () => it.edit(1)),
          () => it.git('diff', '--numstat'),
          whatChanged,
        );
      },
      tracked,
    ),
    row(
      `checkpoint of ${files} files, 10 changed and told, against add -A and write-tree`,
      files === 100_000 ? { atLeast: 20 } : {},
      (it) =>
        inTurn(
          rounds,
          () => told(it, () => it.edit(10)),
          () => bareCheckpoint(it),
          () => it.workspace.checkpoint({ freshness: 'watched' }),
        ),
      tracked,
    ),
    row(
      `the same, with the wait for what the watcher has not told yet`,
      {},
      async (it) => {
        const measured = await inTurn(
          rounds,
          () => told(it, () => it.edit(10)),
          () => bareCheckpoint(it),
          () => it.workspace.checkpoint({ freshness: 'exact' }),
        );
        await (await made)?.dispose();
        await it.dispose();
        return measured;
      },
      tracked,
    ),
  );
  return rows;
}

/** What is done once the watcher has told of an edit; warm, as git's files and program are after its first run. */
async function afterOneEdit(it, rounds) {
  const from = await it.workspace.checkpoint({ freshness: 'exact' });
  const whatChanged = async () => it.workspace.compare(from, await it.workspace.checkpoint({ freshness: 'watched' }));
  for (let edit = 0; edit < rounds * WARM_UP; edit++) {
    await told(it, () => it.edit(1));
    await whatChanged();
  }
  return async () => void (await whatChanged());
}

const WARM_UP = 20;

async function twoStates(it, changed) {
  const from = await it.workspace.checkpoint({ freshness: 'exact' });
  it.edit(changed);
  return { from, to: await it.workspace.checkpoint({ freshness: 'exact' }) };
}

function compared(it, changed, rounds, ours) {
  return inTurn(
    rounds,
    async () => Object.assign(it, await twoStates(it, changed)),
    () => bareDiff(it),
    ours,
  );
}

/** When the first of the changes are there, which is before they are counted when there are many. */
async function firstFiles({ workspace, from }) {
  let at;
  const to = await workspace.checkpoint({ freshness: 'watched' }); // as a review that is opened asks
  await workspace.compare(from, to, {
    onFirst: () => {
      at = performance.now();
    },
  });
  return at ?? performance.now();
}

function bareDiff({ from, to, folder, objects }) {
  const env = { ...process.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  const args = ['diff-tree', '-r', '-z', '--raw', '--numstat', '-M', from, to];
  execFileSync('git', ['--git-dir', join(folder, '.git'), ...args], { env, maxBuffer: 1e9 });
}

function bareContents({ folder, objects }, changes) {
  const env = { ...process.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  const input = changes.flatMap(({ before, after }) => [before.contentId, after.contentId]).join('\n');
  execFileSync('git', ['--git-dir', join(folder, '.git'), 'cat-file', '--batch'], { env, input, maxBuffer: 1e9 });
}

function ourContents({ workspaces, workspace }, changes) {
  const ids = changes.flatMap(({ before, after }) => [before.contentId, after.contentId]);
  return Promise.all(ids.map((contentId) => workspaces.read(workspace.id, contentId)));
}
