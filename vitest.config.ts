import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { fromSource } from './tests/support/from-source.js';

const EVERYWHERE = ['packages/*/test/**', 'tests/**'];
const OTHER_RUNS = ['tests/agents/**', 'tests/vscode/**', '**/*.long.test.ts', '**/node_modules/**'];
const NEEDS = ['host', 'git', 'process', 'browser'];

/** The test files whose names end in `.NEED.test.ts`. */
function needs(need: string, setup: readonly string[] = []) {
  const include = EVERYWHERE.map((folder) => `${folder}/*.${need}.test.ts`);
  return { test: { name: need, include, exclude: OTHER_RUNS, globalSetup: ['tests/support/home.ts', ...setup] } };
}

const pure = {
  test: {
    name: 'pure',
    include: EVERYWHERE.map((folder) => `${folder}/*.test.ts`),
    exclude: [...OTHER_RUNS, ...NEEDS.map((need) => `**/*.${need}.test.ts`)],
    globalSetup: ['tests/support/home.ts'],
  },
};

/** What is built is loaded by Node, as it is for users, and not transformed once more. */
export const built = { deps: { external: [/\/packages\/[^/]+\/dist\//] } };

export default defineConfig({
  test: {
    // A test file's name says what it needs. CONTRIBUTING.md has the table.
    projects: [
      { extends: true, ...fromSource, ...pure },
      { extends: true, ...fromSource, ...needs('host') },
      { extends: true, ...fromSource, ...needs('git') },
      { extends: true, ...needs('process', ['tests/support/fleet/say-missing.ts']) },
      { extends: true, ...needs('browser', ['tests/support/one-chromium.ts']) },
    ],
    server: built,
    maxWorkers: availableParallelism() + 2, // some of them always wait: for sockets, processes and disks
    // Files share processes: to most of them, loading the host anew costs more than their tests do. So none leaves behind what the next
    // could meet: variables of the environment, stubs, servers.
    isolate: false,
    // Sources that were transformed once are not transformed again, neither for another project nor in the next run.
    experimental: { fsModuleCache: true },
    reporters: ['default', ...(process.env.CI ? ['./tests/support/no-silent-skips.ts'] : [])],
    testTimeout: 60_000, // generous: the machines are shared, and a slow one is not a failure
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } }, // by itself it gives up after a second
  },
});
