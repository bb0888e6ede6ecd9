import type { Reporter, TestModule } from 'vitest/node';

/** In CI nobody reads what was skipped, so a test that is skipped without saying why fails the run. */
export default class NoSilentSkips implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const why = result.state === 'skipped' ? result.note : undefined;
        process.stderr.write(
          `!!! SKIPPED ${module.relativeModuleId} > ${test.fullName}: ${why ?? 'no reason given'}\n`,
        );
        if (why === undefined) process.exitCode = 1;
      }
    }
  }
}
