import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { actionTable } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const page = readFileSync(`${root}docs/ARCHITECTURE.md`, 'utf8');
const section = page.slice(page.indexOf('## Adding things'), page.indexOf('## Trust'));

/** The files that the page names for one kind of thing. */
function listed(kind: string): string[] {
  const text = section.slice(section.indexOf(`**${kind}**`));
  const end = text.indexOf('\n**', 2);
  const items = text
    .slice(0, end < 0 ? undefined : end)
    .split('\n')
    .filter((line) => /^(\d\.| {3})/.test(line));
  return items.flatMap((line) => [...line.matchAll(/`((?:protocol|host|agents|cli)\/[^`]+)`/g)].map((m) => m[1] ?? ''));
}

const sources = ['protocol', 'host/src', 'agents/src', 'cli/src'].flatMap((folder) =>
  readdirSync(`${root}packages/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/(^|\/)(dist|node_modules)\//.test(path))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(`${root}packages/${folder}/${path}`, 'utf8') })),
);

/** The source files below these folders that contain a text, relative to `packages/`. */
function filesNaming(text: string, ...folders: string[]): string[] {
  return sources
    .filter((file) => folders.some((folder) => file.path.startsWith(`${folder}/`)) && file.text.includes(text))
    .map(({ path }) => path)
    .sort();
}

describe('the lists of what to touch', () => {
  it.each(['An action', 'A store', 'An agent', 'A protocol version'])('%s: every file is there', (kind) => {
    expect(listed(kind)).not.toEqual([]);
    expect(listed(kind).filter((path) => !existsSync(`${root}packages/${path}`))).toEqual([]);
  });

  it('an action takes at most eight files', () => {
    expect(listed('An action').length).toBeLessThanOrEqual(8);
  });

  it.each(Object.entries(actionTable).filter(([, { since }]) => since === '1.0.0'))(
    '%s stands where the list says, and nowhere else in the protocol and the core',
    (type, { kind, sender }) => {
      const list = listed('An action').map((path) => path.replace(/(channels|rules)\/chat\b/, `$1/${kind}`));
      const isListed = (path: string) =>
        list.some((entry) => path === entry || (entry.endsWith('/') && path.startsWith(entry)));
      const named = filesNaming(`'${type}'`, 'protocol/src', 'host/src/core', 'host/src/compose', 'host/src/server');
      const isReducer = (path: string) =>
        path.startsWith(`protocol/src/channels/${kind}/`) && path.endsWith('-reducer.ts');
      const isOlder = (path: string) => /^protocol\/src\/versions\/0\.[2-7]/.test(path); // versions that had it under another name
      expect(named.filter((path) => !isListed(path) && !isReducer(path) && !isOlder(path))).toEqual([]);
      expect(named).toContain('host/src/compose/effects.ts');
      expect(named.some((path) => path.startsWith('host/src/core/rules/'))).toBe(sender === 'client');
    },
  );

  it('a store is named by what chooses it, and by nothing else of the host', () => {
    const named = filesNaming('createMemoryStore', 'host/src', 'cli/src').filter(
      (path) => !path.includes('/store-memory/'),
    );
    expect(named).toEqual(['host/src/index.ts']);
    const sqlite = filesNaming('openSqliteStore', 'host/src', 'cli/src').filter(
      (path) => !path.includes('/store-sqlite/'),
    );
    expect(sqlite).toEqual(['cli/src/recover/recover.ts', 'cli/src/serve/serve.ts', 'host/src/index.ts']);
  });

  it('an agent is named by what offers it, and by nothing of the host', () => {
    const named = filesNaming('demoAgent', 'agents/src', 'host/src', 'cli/src').filter(
      (path) => !path.includes('/demo/'),
    );
    expect(named).toEqual(['cli/src/serve/agents.ts']);
  });

  it('a protocol version is named where the list says', () => {
    const list = listed('A protocol version');
    const named = filesNaming("'0.7", 'protocol/src').map((path) => path.replace('/0.7/', '/0.9/'));
    const others = named.filter((path) => !list.includes(path) && !path.endsWith('action-table.ts'));
    expect(others).toEqual(['protocol/src/versions/0.6/index.ts']); // the step from it
  });
});
