import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));

it.each([
  ['host', 'demo\n'],
  ['protocol', 'Hello undefined\n'],
  ['agents', 'demo, mine\nsay\n'],
])('the example in the README of @ahpd/%s runs', (name, printed) => {
  const example = /```js\n([\s\S]*?)```/.exec(readFileSync(`${packages}${name}/README.md`, 'utf8'))?.[1];
  const run = spawnSync(process.execPath, ['--input-type=module', '-'], {
    cwd: `${packages}${name}`,
    input: example,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(run).toMatchObject({ status: 0, stdout: printed });
});
