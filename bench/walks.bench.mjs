// How many files, functions and calls of ours one thing passes in a real host, and where its time goes.
import { takeWalk, timeWalk } from './walks/walk.mjs';

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
      const times = await timeWalk(name, smoke ? 1 : 60);
      return { baselineMs: mostFiles, oursMs: walk.length, details: [...describeTimes(times), ...describe(walk)] };
    },
  };
}

function describeTimes(times) {
  const total = times.reduce((sum, [, time]) => sum + time, 0);
  const shown = times.filter(([, time]) => time >= total / 100);
  return [
    `${Math.round(total)} us of the host's main thread, by part (of 1% and more):`,
    ...shown.map(([part, time]) => `  ${part}: ${Math.round(time)} us, ${Math.round((100 * time) / total)}%`),
  ];
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
