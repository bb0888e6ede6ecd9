import { defineConfig } from 'vitest/config';

/** What goes wrong around a host: the quick tests of it that the ordinary run has too, in their long form, and the slow ones. */
export default defineConfig({
  test: {
    include: [
      'tests/faults/*.long.test.ts',
      'tests/faults/{clock,slow-disk,damaged-store}.*.test.ts',
      'tests/cli/backup.process.test.ts',
      'tests/faults/store-failures.process.test.ts',
      'tests/operations/failures.git.test.ts',
      'tests/connections/slow-subscriber.host.test.ts',
      'tests/turns/agents.host.test.ts',
      'tests/acp/end.process.test.ts',
      'tests/acp/cancel.process.test.ts',
      'tests/terminals/output.process.test.ts',
      'tests/resources/watches.host.test.ts',
      'packages/agents/test/demo/random-scripts.test.ts',
      'packages/host/test/terminals/scrollback.test.ts',
      'packages/host/test/workspace/{property,scan}.git.test.ts',
      'packages/host/test/store/{damage,faulty,full-disk,access,kill,model}{,.process}.test.ts',
      'packages/host/test/folder-editor/faults.git.test.ts',
      'packages/host/test/watches/*.test.ts',
      'packages/host/test/transports/ws-{frames,slow,lifetime}.test.ts',
    ],
    testTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
    maxWorkers: 2, // disks, limits and whole processes: more at a time only wait for each other
    env: {
      FAULTS_RUNS: process.env.FAULTS_RUNS ?? '300',
      STORE_FUZZ_ROUNDS: '1000',
      STORE_MODEL_RUNS: '1000',
      TERMINAL_MEGABYTES: process.env.TERMINAL_MEGABYTES ?? '100',
      TEST_WAIT_MS: '60000',
    },
  },
});
