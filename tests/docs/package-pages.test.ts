import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GROUPS } from '../../packages/cli/src/client/command-table.js';

const packages = new URL('../../packages/', import.meta.url);
const pages = readdirSync(packages).map(
  (name) => [name, readFileSync(new URL(`${name}/README.md`, packages), 'utf8')] as const,
);

it.each(pages)('the page of %s leads nowhere that is not on npm', (_name, text) => {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|<img[^>]*src="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image ?? '',
  );
  expect(links.filter((link) => !/^(?:https:|#)/.test(link))).toEqual([]);
});

it.each(pages)('the page of %s speaks of nothing that only the repository has', (_name, text) => {
  expect(text.match(/\brepository\b.*|\bcheckout\b.*|\b(?:docs|src|examples|tests|bench)\/[\w.-]*/g) ?? []).toEqual([]);
});

it.each(pages)('the page of %s names only commands that there are', (_name, text) => {
  const commands = new Set(GROUPS.flatMap(([, entries]) => entries.map(({ name }) => name)));
  const named = [...text.matchAll(/(?:npx |`)moorage ([a-z]+)/g)].map(([, command = '']) => command);
  expect(named.filter((command) => !commands.has(command))).toEqual([]);
});
