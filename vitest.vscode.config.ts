import { defineConfig } from 'vitest/config';
import { built } from './vitest.config.js';

/** A real VS Code in a real browser, not part of the ordinary tests: the first run installs some hundred megabytes. */
export default defineConfig({
  test: {
    include: ['tests/vscode/*.test.ts'],
    globalSetup: ['tests/vscode/support/install.ts'],
    server: built,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    fileParallelism: false, // each wants a machine for itself
  },
});
