import { defineConfig } from 'vitest/config';
import { built } from './vitest.config.js';

/** The packages on npm that hold a VS Code for browsers: its own version with another first digit (V-53). */
const BUILDS = ['4.139.1', '4.138.0', '4.137.0', '4.136.2', '4.135.0', '4.134.0', '4.133.0'];

/** `VSCODE_BUILD` has one or several of them, with commas, or `all`. */
const wanted = process.env.VSCODE_BUILD ?? BUILDS[0] ?? '';
const builds = wanted === 'all' ? BUILDS : wanted.split(',');

/** A real VS Code in a real browser, not part of the ordinary tests: the first run of a build installs some hundred megabytes. */
export default defineConfig({
  test: {
    projects: builds.map((build) => ({
      test: {
        name: build,
        include: ['tests/vscode/*.test.ts'],
        globalSetup: ['tests/vscode/support/install.ts'],
        env: { VSCODE_BUILD: build },
        server: built,
        testTimeout: 240_000,
        expect: { poll: { timeout: 30_000 } },
        hookTimeout: 240_000,
      },
    })),
    fileParallelism: false, // each wants a machine for itself
  },
});
