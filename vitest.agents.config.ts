import { defineConfig } from 'vitest/config';
import { built } from './vitest.config.js';

/** Real agents from the registry, not part of the ordinary tests: they are large and slow to start. */
export default defineConfig({
  test: {
    include: ['tests/agents/**/*.test.ts'],
    isolate: false,
    server: built,
    testTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
    fileParallelism: false, // one agent at a time: each wants a machine for itself
    env: { TEST_WAIT_MS: process.env.TEST_WAIT_MS ?? '240000' },
  },
});
