// What each package exports, with signatures, as text: a change of it shows in review.  npm run api
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));

/** The packages that are promised to others, and the entries of them that are. */
export const reported = {
  protocol: ['.', './versions'],
  client: ['.', './react'],
  host: ['.', './ports', './testing'],
  agents: ['./acp', './demo', './model'],
};

export function reportFile(name) {
  return join(packages, name, 'api.txt');
}

/** The report of a package, made from its built declarations. */
export function apiReport(name) {
  const { exports } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
  const entries = reported[name].map((entry) => {
    const found = exportsOf(join(packages, name, exports[entry].types));
    const lines = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    return `## ${join(`@moorage/${name}`, entry)}\n\n${lines.join('\n')}\n`;
  });
  return `Made by npm run api. Do not edit.\n\n${entries.join('\n')}`;
}

/** What a declaration file exports: names with their declarations. */
function exportsOf(file, seen = new Set()) {
  const found = new Map();
  if (seen.has(file)) return found;
  seen.add(file);
  for (const statement of statementsOf(file)) {
    const [, list, from] = /^export (?:type )?(\*|\{[\s\S]*\})(?: from '(.*)')?;$/.exec(statement) ?? [];
    if (list === undefined) {
      const name = /^export (?:declare )?(?:abstract )?\w+ (\w+)/.exec(statement)?.[1];
      // A value and a type may share a name.
      if (name)
        found.set(name, [found.get(name), statement.replace('export declare ', 'export ')].filter(Boolean).join('\n'));
    } else if (from && !from.startsWith('.')) {
      found.set(from, statement);
    } else {
      const other = from ? exportsOf(join(dirname(file), from.replace(/\.js$/, '.d.ts')), new Set(seen)) : new Map();
      for (const [name, text] of chosen(other, list)) found.set(name, text);
    }
  }
  return found;
}

function chosen(other, list) {
  if (list === '*') return other;
  const names = list
    .slice(1, -1)
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter(Boolean);
  return names.map((each) => {
    const [name, as = name] = each.split(' as ');
    return [as, `${name === as ? '' : `${as} = `}${other.get(name) ?? `export ${name}`}`];
  });
}

/** The top-level statements, without comments: the next one begins where a line is not indented and closes nothing. */
function statementsOf(file) {
  const text = readFileSync(file, 'utf8').replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '');
  return text.split(/\n(?=[a-z])/).map((statement) => statement.trim());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of Object.keys(reported)) writeFileSync(reportFile(name), apiReport(name));
}
