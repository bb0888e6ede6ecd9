import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tests/*.test.ts'],
    globalSetup: ['tests/support/home.ts'],
    maxWorkers: '100%', // they mostly wait: for sockets, processes and disks
    // A test that fails and then passes is a bug to find; it must not keep a change from landing on a machine that others use.
    retry: process.env.CI ? 2 : 0,
    testTimeout: 60_000, // generous: the machines are shared, and a slow one is not a failure
    hookTimeout: 60_000,
  },
});
