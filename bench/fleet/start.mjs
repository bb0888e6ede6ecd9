import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../../packages/cli/scripts/bundle-options.mjs';
import { startCommand } from '../host/processes.mjs';
import { median } from '../lib/fit.mjs';

const CLI = join(import.meta.dirname, '../../packages/cli');

/** The processor time of `moorage serve` without `--fleet`, to its ready line, against a build that has nothing of fleets. */
export async function startWithoutFleet(folder, rounds) {
  const other = mkdtempSync(join(CLI, 'bundle-without-fleet-')); // there, so that packages are found from it
  try {
    await build({
      ...bundleOptions,
      outdir: join(other, 'bundle'),
      plugins: [...bundleOptions.plugins, WITHOUT_FLEET],
    });
    mkdirSync(join(other, 'bin'));
    cpSync(join(CLI, 'bin/moorage.js'), join(other, 'bin/moorage.js'));
    cpSync(join(CLI, 'package.json'), join(other, 'package.json'));
    const data = join(folder, 'start');
    const sides = [join(other, 'bin/moorage.js'), join(CLI, 'bin/moorage.js')];
    for (const bin of sides) await ready(data, bin); // compiled code is kept for the next start
    const times = [[], []];
    for (let round = 0; round < rounds; round++)
      for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) times[side].push(await ready(data, sides[side]));
    const [baselineMs, oursMs] = times.map(median);
    return { baselineMs, oursMs };
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
}

const WITHOUT_FLEET = {
  name: 'without fleet',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\/fleet\/(member|init)\.js$|\/gateway\/gateway\.js$/ }, ({ path }) => ({
      path,
      namespace: 'nothing',
    }));
    onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({
      contents: 'export const joinAsMember = undefined, initFleet = undefined, gateway = undefined;',
    }));
  },
};

/** Milliseconds of processor time until the ready line: two hundredths are less than what other work on the machine adds to a start. */
async function ready(data, bin) {
  const host = await startCommand(data, { root: tmpdir(), bin });
  const tasks = `/proc/${host.pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ')[0]),
  );
  await host.stop();
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}
