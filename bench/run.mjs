// node bench/run.mjs [part of a file's or row's name...] [--smoke] [--json FILE]
import { readdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measure, measureGrowth, measureRun } from './lib/measure.mjs';
import { asTable } from './lib/report.mjs';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { smoke: { type: 'boolean', default: false }, json: { type: 'string' } },
});

const all = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.bench.mjs')).sort();
const named = all.filter(isWanted);

// Times mean something only when nothing else runs; a smoke run has none.
const results = [];
const files = named.length > 0 ? named : all;
if (options.smoke) results.push(...(await Promise.all(files.map(runFile))).flat());
else for (const file of files) results.push(...(await runFile(file)));

const wrong = results.filter(
  ({ difference, cannot, ratio }) => difference !== undefined || (cannot === undefined && !Number.isFinite(ratio)),
);
process.stdout.write(`${asTable(results)}\n\n`);
if (wanted.length > 0) for (const row of results) if (row.details) process.stdout.write(`${detailsOf(row)}\n\n`);
for (const { name, difference } of wrong) process.stderr.write(`${name}: ${difference ?? 'no sane figure'}\n`);
const judged = results.filter(({ goal }) => Object.values(goal).some((value) => value !== undefined));
const met = judged.filter((result) => result.met).length;
process.stdout.write(
  `${results.length} rows from ${new Set(results.map(({ file }) => file)).size} benchmarks ran, ` +
    `${wrong.length} gave a wrong result; ${met} of ${judged.length} goals met\n`,
);
if (options.json) {
  const about = { node: process.version, platform: `${process.platform}-${process.arch}`, smoke: options.smoke };
  await writeFile(
    options.json,
    `${JSON.stringify({ ...about, met, goals: judged.length, rows: results }, undefined, 2)}\n`,
  );
}
if (wrong.length > 0 || results.length === 0) process.exitCode = 1;

async function runFile(file) {
  const { cases } = await import(new URL(file, import.meta.url).href);
  const rows = [];
  for (const oneCase of cases({ smoke: options.smoke, isNamed: wanted.length > 0 })) {
    if (!isWanted(`${file}: ${oneCase.name}`)) continue;
    const result = await resultOf(oneCase);
    process.stderr.write(`${file}: ${oneCase.name} ${result.cannot ?? `${result.ratio?.toFixed(2)}x`}\n`); // a run that is cut off has said something
    rows.push({ file, ...result });
  }
  return rows;
}

function resultOf(oneCase) {
  if (oneCase.grow) return measureGrowth(oneCase);
  return oneCase.run ? measureRun(oneCase) : measure(oneCase, options);
}

function detailsOf({ name, details }) {
  return [name, ...details].join('\n');
}

function isWanted(name) {
  return wanted.length === 0 || wanted.some((part) => name.includes(part));
}
