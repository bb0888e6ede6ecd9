import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FileAudit, fileAudit } from '../../src/adapters/audit-file/index.js';
import type { AuditEntry } from '../../src/ports/index.js';

let folder: string;
let file: string;
let audit: FileAudit;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moorage-audit-'));
  file = join(folder, 'audit.jsonl');
  audit = fileAudit(file);
});
afterEach(() => {
  audit.close();
  rmSync(folder, { recursive: true, force: true });
});

const entry = (at: number): AuditEntry => ({
  at,
  person: 'Ada',
  clientId: 'c',
  channel: 'ahp-session:/one',
  what: 'session/titleChanged',
  about: { title: 'x'.repeat(200) },
});

async function all() {
  const pages = [await audit.read()];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) pages.push(await audit.read(next));
  return {
    pages: pages.length,
    items: pages.flatMap(({ items }) => items),
    isIntact: pages.every((page) => page.isIntact),
  };
}

function restart(): void {
  audit.close();
  audit = fileAudit(file);
}

it('keeps everything in order, over restarts, and gives it in pages', async () => {
  const entries = Array.from({ length: 2_000 }, (_, at) => entry(at));
  for (const one of entries) {
    if (one.at % 500 === 0) restart();
    audit.record(one);
  }
  const { items, isIntact, pages } = await all();
  expect(items).toEqual(entries);
  expect(isIntact).toBe(true);
  expect(pages).toBeGreaterThan(1);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it.each([
  ['changed', (lines: string[]) => lines.with(3, (lines[3] ?? '').replace('Ada', 'Eve'))],
  ['removed', (lines: string[]) => lines.toSpliced(3, 1)],
  ['added', (lines: string[]) => lines.toSpliced(3, 0, lines[3] ?? '')],
  ['moved', (lines: string[]) => lines.with(3, lines[4] ?? '').with(4, lines[3] ?? '')],
  ['taken from the beginning', (lines: string[]) => lines.slice(1)],
])('shows that a line was %s', async (_how, change) => {
  for (let at = 0; at < 10; at++) audit.record(entry(at));
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  writeFileSync(file, `${change(lines).join('\n')}\n`);
  expect((await all()).isIntact).toBe(false);
});

it('goes on after a line that a crash has cut off', async () => {
  audit.record(entry(1));
  appendFileSync(file, '{"at":2,"what":"cut');
  restart();
  audit.record(entry(3));
  const { items } = await all();
  expect(items.map(({ at }) => at)).toEqual([1, 3]);
});

it('refuses a cursor that is none', async () => {
  await expect(audit.read('../etc')).rejects.toThrow('nextCursor');
});
