import { makeWorld, told } from '../changesets/world.mjs';
import { atSizes, best } from './best.mjs';

/** Files of a folder, and files that changed. */
export function files(smoke) {
  const sizes = smoke ? [20, 40] : [1_000, 5_000, 25_000];
  const changed = smoke ? [1, 2] : [10, 100, 1_000];
  const rounds = smoke ? 1 : 7;
  return [
    row('files: one edit that the watcher told of', 0, sizes, (size) =>
      withWorld(size, (it) => oneEdit(it, rounds * 3), { tracks: true }),
    ),
    row('files: a look at all of them', 1, sizes, (size) =>
      withWorld(size, (it) =>
        best(
          rounds,
          () => it.workspace.checkpoint({ freshness: 'exact' }),
          () => it.edit(10),
        ),
      ),
    ),
    row('changed files: what changed', 1, changed, (size) =>
      withWorld(smoke ? 20 : 2_000, (it) => compared(it, size, rounds)),
    ),
  ];
}

function row(name, growsAtMost, sizes, cost) {
  return { name: `scaling with ${name}`, growsAtMost, grow: () => atSizes(sizes, cost) };
}

async function withWorld(size, run, options = { tracks: false }) {
  const it = await makeWorld(size, options);
  try {
    return await run(it);
  } finally {
    await it.dispose();
  }
}

async function oneEdit(it, rounds) {
  await told(it, () => it.edit(1)); // it watches from the first look on
  await it.workspace.checkpoint({ freshness: 'exact' });
  const from = await it.workspace.checkpoint({ freshness: 'exact' });
  return best(
    rounds,
    async () => it.workspace.compare(from, await it.workspace.checkpoint({ freshness: 'watched' })),
    () => told(it, () => it.edit(1)),
  );
}

async function compared(it, changed, rounds) {
  let [from, to] = ['', ''];
  return best(
    rounds,
    () => it.workspace.compare(from, to),
    async () => {
      from = await it.workspace.checkpoint({ freshness: 'exact' });
      it.edit(changed);
      to = await it.workspace.checkpoint({ freshness: 'exact' });
    },
  );
}
