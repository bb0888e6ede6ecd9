import { defineConfig } from 'vitest/config';

/** What goes wrong around a host: the quick tests of it that the ordinary run has too, in their long form, and the slow ones. */
export default defineConfig({
  test: {
    include: [
      'tests/faults/*.test.ts',
      'tests/faults-*.test.ts',
      'tests/backup.test.ts',
      'tests/store-failures.test.ts',
      'tests/operations-failures.test.ts',
      'tests/slow-subscriber.test.ts',
      'tests/agents.test.ts',
      'tests/acp-process.test.ts',
      'tests/acp-cancel.test.ts',
      'tests/terminals-output.test.ts',
      'tests/watches.test.ts',
      'packages/host/test/store/{damage,faulty,full-disk,access,kill}.test.ts',
      'packages/host/test/folder-editor/faults.test.ts',
      'packages/host/test/watches/*.test.ts',
      'packages/host/test/transports/ws-{frames,slow,lifetime}.test.ts',
    ],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: 2, // disks, limits and whole processes: more at a time only wait for each other
    env: {
      FAULTS_RUNS: process.env.FAULTS_RUNS ?? '300',
      STORE_FUZZ_ROUNDS: '1000',
      TERMINAL_MEGABYTES: process.env.TERMINAL_MEGABYTES ?? '100',
      TEST_WAIT_MS: '60000',
    },
  },
});
