import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const text = await readFile(here('../../docs/BUILD-AN-AGENT.md'), 'utf8');
const [agent = '', program = '', contract = ''] = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, code = '']) => code,
);

it('docs/BUILD-AN-AGENT.md shows the agent of examples/agent and its test', async () => {
  expect(agent).toBe(await readFile(here('../../examples/agent/agent.mjs'), 'utf8'));
  expect(contract).toBe(await readFile(here('../../examples/agent/agent.test.mjs'), 'utf8'));
});

it('docs/BUILD-AN-AGENT.md has an agent that runs', async () => {
  const folder = await mkdtemp(here('.guide-')); // here, so that it finds the packages
  try {
    await writeFile(join(folder, 'agent.mjs'), agent);
    await writeFile(join(folder, 'program.mjs'), program);
    const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd: folder, timeout: 50_000 });
    expect(stdout.trim().split('\n')).toEqual([
      'You said: hello',
      'You answered: Ada',
      'Done.',
      'The other said: You said: hello',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
