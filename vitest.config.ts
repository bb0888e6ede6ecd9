import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tests/*.test.ts'],
    globalSetup: ['tests/support/home.ts'],
    maxWorkers: availableParallelism() + 2, // some of them always wait: for sockets, processes and disks
    // Files share processes: to most of them, loading the host anew costs more than their tests do. So none leaves behind what the next
    // could meet: variables of the environment, stubs, servers.
    isolate: false,
    // What is built is loaded by Node, as it is for users, and not transformed once more.
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
    // A test that fails and then passes is a bug to find; it must not keep a change from landing on a machine that others use.
    retry: process.env.CI ? 2 : 0,
    reporters: ['default', ...(process.env.CI ? ['./tests/support/no-silent-skips.ts'] : [])],
    testTimeout: 60_000, // generous: the machines are shared, and a slow one is not a failure
    hookTimeout: 60_000,
  },
});
