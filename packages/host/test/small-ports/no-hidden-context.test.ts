import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the host passes what is needed: no AsyncLocalStorage, which slows the whole process down, and no Proxy', () => {
  const source = join(import.meta.dirname, '../../src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(100);
  const hidden = files.filter((path) =>
    /node:async_hooks|AsyncLocalStorage|new Proxy\(/.test(readFileSync(join(source, path), 'utf8')),
  );
  expect(hidden).toEqual([]);
});
