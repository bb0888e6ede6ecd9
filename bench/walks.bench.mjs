// How many files, functions and calls of ours one thing passes in a real host.
import { takeWalk } from './walks/walk.mjs';

export function cases({ smoke }) {
  return [
    row('message', 'a message until its echo', 60, smoke),
    row('edit', 'an edit of a file until changeset/fileSet', 110, smoke),
    row('revert', 'a revert of a file until its answer', 90, smoke),
  ];
}

function row(name, title, mostFiles, smoke) {
  return {
    name: `files passed by ${title}, against ${mostFiles}`,
    unit: 'count',
    atMost: 1,
    work: 1,
    async run() {
      const walk = await takeWalk(name, smoke ? 1 : 5);
      return { baselineMs: mostFiles, oursMs: walk.length, details: describe(walk) };
    },
  };
}

/** The whole walk as text: in all, by folder, and each file. */
function describe(walk) {
  const folders = new Map();
  for (const one of walk) {
    const folder = one.file
      .split('/')
      .slice(0, 4)
      .join('/')
      .replace(/\/[^/]+\.js$/, '');
    folders.set(folder, [...(folders.get(folder) ?? []), one]);
  }
  const byFolder = [...folders].sort(([, a], [, b]) => b.length - a.length);
  return [
    totals(walk),
    ...byFolder.map(([folder, files]) => `  ${folder}: ${totals(files)}`),
    ...walk.map(({ file, functions, calls }) => `    ${file}: ${functions} functions, ${calls} calls`),
  ];
}

function totals(files) {
  const sum = (key) => files.reduce((total, file) => total + file[key], 0);
  return `${files.length} files, ${sum('functions')} functions, ${sum('calls')} calls`;
}
