import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PACKAGES = join(import.meta.dirname, '../../packages');

it('what Moorage says about itself has the version of its package: none is written into the code', () => {
  const written = readdirSync(PACKAGES).flatMap((name) => {
    const src = join(PACKAGES, name, 'src');
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    return files.filter((file) => /name: 'moorage[^}]*\bversion: '\d/.test(readFileSync(join(src, file), 'utf8')));
  });
  expect(written).toEqual([]);
});

it.each(['host', 'agents'])('%s knows its version', async (name) => {
  const { VERSION } = await import(join(PACKAGES, name, 'dist/version.js'));
  expect(VERSION).toBe(JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')).version);
});
