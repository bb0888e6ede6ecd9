import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter(Boolean);
const folders = new Set(files.flatMap((file) => parentsOf(file)));
const pages = files.filter((file) => file.endsWith('.md') && !file.startsWith('tests/'));
const textOf = new Map(pages.map((page) => [page, readFileSync(root + page, 'utf8')]));

it('finds the pages', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/README.md', 'docs/ARCHITECTURE.md']));
});

it.each(pages)('%s links only to what exists, headings included', (page) => {
  const links = [...withoutCode(textOf.get(page) ?? '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !/^https?:/.test(link) && !leadsSomewhere(page, link))).toEqual([]);
});

it.each(pages)('%s names only source files that exist', (page) => {
  const named = [...(textOf.get(page) ?? '').matchAll(/`([\w@.-]+(?:\/[\w@.-]+)*\.(?:ts|tsx|mjs))`/g)];
  const missing = named.filter(([, path = '']) => !/NAME|hello\.mjs|^my-/.test(path) && !isFile(path));
  expect(missing.map(([, path]) => path)).toEqual([]);
});

it('lists every page of docs in its index', () => {
  const index = textOf.get('docs/README.md') ?? '';
  const unlisted = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
  expect(unlisted.filter((page) => !index.includes(`](${page.slice('docs/'.length)})`))).toEqual([]);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? page : posix.join(posix.dirname(page), path);
  if (heading === undefined) return files.includes(target) || folders.has(target.replace(/\/$/, ''));
  return anchorsOf(textOf.get(target) ?? '').includes(heading);
}

/** As GitHub makes them: lower case, without punctuation, a hyphen for each space. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Pages name files from the folder that they are about, so the end of the path decides. */
function isFile(path: string): boolean {
  return files.some((file) => file === path || file.endsWith(`/${path}`));
}

function withoutCode(text: string): string {
  return text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');
}

function parentsOf(file: string): string[] {
  const parent = posix.dirname(file);
  return parent === '.' ? [] : [parent, ...parentsOf(parent)];
}
