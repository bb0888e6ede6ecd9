// node bench/run.mjs [part of a file's or row's name...] [--smoke] [--json]
import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measure, measureRun } from './lib/measure.mjs';
import { asTable } from './lib/report.mjs';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { smoke: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});

const all = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.bench.mjs')).sort();
const named = all.filter(isWanted);

const results = [];
for (const file of named.length > 0 ? named : all) {
  const { cases } = await import(new URL(file, import.meta.url).href);
  for (const oneCase of cases({ smoke: options.smoke })) {
    if (!isWanted(`${file}: ${oneCase.name}`)) continue;
    process.stderr.write(`${file}: ${oneCase.name}`);
    const result = oneCase.run ? await measureRun(oneCase) : measure(oneCase, options);
    process.stderr.write(` ${result.ratio?.toFixed(2)}x\n`); // a long run that is cut off has said something
    results.push({ file, ...result });
  }
}

const wrong = results.filter(({ difference, ratio }) => difference !== undefined || !Number.isFinite(ratio));
process.stdout.write(options.json ? `${JSON.stringify(results, undefined, 2)}\n` : `${asTable(results)}\n\n`);
for (const { name, difference } of wrong) process.stderr.write(`${name}: ${difference ?? 'no sane figure'}\n`);
// With --json, stdout is for the program that reads it.
const summary = options.json ? process.stderr : process.stdout;
summary.write(
  `${results.length} rows from ${new Set(results.map(({ file }) => file)).size} benchmarks ran, ${wrong.length} gave a wrong result\n`,
);
if (wrong.length > 0 || results.length === 0) process.exitCode = 1;

function isWanted(name) {
  return wanted.length === 0 || wanted.some((part) => name.includes(part));
}
