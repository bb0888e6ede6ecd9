import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tests/*.test.ts'],
    maxWorkers: '100%', // they mostly wait: for sockets, processes and disks
    testTimeout: 60_000, // generous: the machines are shared, and a slow one is not a failure
    hookTimeout: 60_000,
  },
});
