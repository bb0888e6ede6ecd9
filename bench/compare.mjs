// node bench/compare.mjs [--commit e8911792] [--rounds 5] [--built FOLDER] [part of a row's name...]
// The rows of the native version, here and at another commit.
// Both have the same rows in their own bench; they are run in turn, and what ours takes here is divided by what it took there.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './lib/fit.mjs';

/** The last commit whose native version was 0.4. */
const LAST_OF_0_4 = 'e8911792';

/** Parts of the names of rows. What a row with a baseline of its own has for it does not count here. */
const ROWS = [
  'chat/delta, 50 parts, last part',
  'chat/delta, 500 parts, last part',
  'snapshot of a chat with',
  'actions to 100 subscribers, processor time',
  'dispatch to echo, durable',
  'reconnect after',
];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commit: { type: 'string', default: LAST_OF_0_4 },
    rounds: { type: 'string', default: '5' },
    built: { type: 'string' }, // where that commit has been installed before
  },
});
const here = join(import.meta.dirname, '..');
const temporary = mkdtempSync(join(tmpdir(), 'moorage-compare-'));
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
const rows = positionals.length > 0 ? positionals : ROWS;
const there = options.built ?? install(join(temporary, 'there'));

/** By row: the times of ours, per round. */
const rounds = [];
for (let round = 0; round < Number(options.rounds); round++) {
  const order = round % 2 === 0 ? ['there', 'here'] : ['here', 'there'];
  const times = {};
  for (const side of order) times[side] = measured(side === 'here' ? here : there);
  rounds.push(times);
  process.stderr.write(`round ${round + 1} of ${options.rounds}\n`);
}

const names = [...rounds[0].here.keys()].filter((name) => rounds[0].there.has(name));
if (names.length === 0) throw new Error('the two have no row in common');
process.stdout.write(`| row | ${options.commit} | here | ratio | of the rounds |\n|---|---|---|---|---|\n`);
for (const name of names) {
  const ratios = rounds.map((times) => times.here.get(name) / times.there.get(name)).sort((a, b) => a - b);
  const time = (side) => microseconds(median(rounds.map((times) => times[side].get(name))));
  const spread = `${ratios[0].toFixed(2)} to ${ratios.at(-1).toFixed(2)}`;
  process.stdout.write(
    `| ${name} | ${time('there')} | ${time('here')} | ${median(ratios).toFixed(2)}x | ${spread} |\n`,
  );
}
process.stdout.write(`\nload at the end: ${loadavg()[0].toFixed(1)}\n`);

/** Nanoseconds of ours by the name of its row. */
function measured(folder) {
  const json = join(temporary, 'rows.json');
  execFileSync(process.execPath, ['bench/run.mjs', ...rows, '--json', json], { cwd: folder, stdio: 'ignore' });
  return new Map(JSON.parse(readFileSync(json, 'utf8')).rows.map(({ name, oursNs }) => [name, oursNs]));
}

/** The files of that commit in a folder of their own, installed and built. */
function install(folder) {
  const archive = join(temporary, 'there.tar');
  execFileSync('git', ['archive', '--prefix=there/', '--output', archive, options.commit], { cwd: here });
  execFileSync('tar', ['xf', archive], { cwd: temporary });
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit' });
  return folder;
}

function microseconds(nanoseconds) {
  return `${(nanoseconds / 1000).toPrecision(3)} us`;
}
