// What each package exports, with signatures, as text: a change of it shows in review.  npm run api
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));

/** The packages that are promised to others, the entries of them that are, and how far. */
export const reported = {
  protocol: { '.': 'stable', './versions': 'internal' },
  client: { '.': 'stable', './react': 'stable' },
  host: { '.': 'stable', './ports': 'stable', './testing': 'experimental' },
  agents: { './acp': 'stable', './demo': 'stable', './model': 'stable' },
};

const MEANING = {
  stable: 'It changes only with a new major version (before 1.0: a new minor one), and the changelog says so.',
  experimental: 'Any new version may change it; the changelog says so.',
  internal: 'It is for the packages of Moorage, and changes without notice.',
};

export function reportFile(name) {
  return join(packages, name, 'api.txt');
}

/** The report of a package, made from its built declarations. */
export function apiReport(name) {
  const { exports } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
  const entries = Object.keys(reported[name]).map((entry) => {
    const found = exportsOf(join(packages, name, exports[entry].types), withoutComments);
    const lines = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    return `## ${join(`@moorage/${name}`, entry)}\n\n${lines.join('\n')}\n`;
  });
  return `Made by npm run api. Do not edit.\n\n${entries.join('\n')}`;
}

export function referenceFile(name) {
  return fileURLToPath(new URL(`../docs/api/${name}.md`, import.meta.url));
}

/** The reference of a package: what it exports, with what the comments say. Schemas are named with their types. */
export function apiReference(name) {
  const { exports } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
  const before = new Map();
  const entries = Object.entries(reported[name]).map(([entry, label]) => {
    const found = exportsOf(join(packages, name, exports[entry].types), (text) => text);
    const shown = [...found].filter(([each]) => !(each.endsWith('Schema') && found.has(each.slice(0, -6))));
    const sorted = shown.sort(([a], [b]) => (a < b ? -1 : 1));
    const isKnown = ([each, text]) => before.get(each) === text;
    const known = sorted.filter(isKnown).map(([each]) => `\`${each}\``);
    const sections = sorted.filter((each) => !isKnown(each)).map(([each, text]) => sectionOf(each, text));
    for (const [each, text] of found) before.set(each, text);
    const also = known.length > 0 ? `As above: ${known.join(', ')}.\n\n` : '';
    return `## ${join(`@moorage/${name}`, entry)}\n\nStability: **${label}**. ${MEANING[label]}\n\n${also}${sections.join('\n')}`;
  });
  return `# API of @moorage/${name}\n\n<!-- Made by npm run api. Do not edit. -->\n\n${INTRODUCTIONS[name]}\n\n${entries.join('\n')}`;
}

const INTRODUCTIONS = {
  protocol:
    'To read and write the wire, import these types, tables, validators and reducers. Each type `X` of the wire has a schema `XSchema`, which is not repeated here.',
  client: 'To build a client, begin with `connect`. [The guide](../BUILD-A-CLIENT.md) shows how the parts go together.',
  host: 'To embed a host, begin with `createHost`. [The guide](../BUILD-A-HOST.md) shows how the parts go together.',
  agents:
    'To give a host its agents, pass these to `createHost`. [The guide](../BUILD-AN-AGENT.md) is about one of your own.',
};

/** One export: its name, the comment before it, and its declaration. */
function sectionOf(name, text) {
  const [, comment, declaration] = /^(?:\/\*\*([\s\S]*?)\*\/\s*)?([\s\S]*)$/.exec(text) ?? [];
  const said = (comment ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd())
    .join('\n')
    .trim();
  const title = name.startsWith('@') ? `From ${name}` : name;
  return `### ${title}\n\n${said === '' ? '' : `${said}\n\n`}\`\`\`ts\n${declaration}\n\`\`\`\n`;
}

/** What a declaration file exports: names with their declarations. */
function exportsOf(file, prepare, seen = new Set()) {
  const found = new Map();
  if (seen.has(file)) return found;
  seen.add(file);
  for (const statement of statementsOf(file, prepare)) {
    const bare = withoutComments(statement);
    const [, list, from] = /^export (?:type )?(\*|\{[\s\S]*\})(?: from '(.*)')?;$/.exec(bare) ?? [];
    if (list === undefined) {
      const name = /^export (?:declare )?(?:abstract )?\w+ (\w+)/.exec(bare)?.[1];
      // A value and a type may share a name.
      if (name)
        found.set(name, [found.get(name), statement.replace('export declare ', 'export ')].filter(Boolean).join('\n'));
    } else if (from && !from.startsWith('.')) {
      found.set(from, bare);
    } else {
      const other = from
        ? exportsOf(join(dirname(file), from.replace(/\.js$/, '.d.ts')), prepare, new Set(seen))
        : new Map();
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

/** The top-level statements: the next one begins where a line is not indented and closes nothing. */
function statementsOf(file, prepare) {
  const text = prepare(readFileSync(file, 'utf8').replace(/^\/\/# .*$/gm, ''));
  // A comment belongs to what follows it.
  return text.split(/\n(?=[a-z])(?<!\*\/\n)|\n(?=\/\*\*)/).map((statement) => statement.trim());
}

function withoutComments(text) {
  return text.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of Object.keys(reported)) {
    writeFileSync(reportFile(name), apiReport(name));
    writeFileSync(referenceFile(name), apiReference(name));
  }
}
