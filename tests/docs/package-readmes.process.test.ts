import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

it.each([
  ['host', 'demo\n'],
  ['protocol', 'Hello undefined\n'],
  ['agents', 'demo, mine\nsay\n'],
])('the example in the README of @moorage/%s runs', (name, printed) => {
  const [example] = examplesOf(name);
  const run = spawnSync(process.execPath, ['--input-type=module', '-'], {
    cwd: `${packages}${name}`,
    input: example,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(run).toMatchObject({ status: 0, stdout: printed });
});

describe('the suite in the README of @moorage/host', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-readme-'));
  symlinkSync(`${packages}../node_modules`, join(folder, 'node_modules'));
  const file = join(folder, 'mine.mjs');
  writeFileSync(file, examplesOf('host')[1] ?? '');
  await import(file); // which describes what is run here
  rmSync(folder, { recursive: true });
});

function examplesOf(name: string): string[] {
  const text = readFileSync(`${packages}${name}/README.md`, 'utf8');
  return [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, example = '']) => example);
}
