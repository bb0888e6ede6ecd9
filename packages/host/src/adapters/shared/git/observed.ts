import type { Telemetry } from '../../../ports/telemetry.js';

/** Measures a git command, while somebody listens. Telemetry gets its name and duration, never its arguments. */
export async function observed<T>(args: readonly string[], telemetry: Telemetry, run: () => Promise<T>): Promise<T> {
  const command = COMMANDS.find((name) => args.includes(name)) ?? 'other';
  const attributes = { 'git.command': command };
  const span = telemetry.startSpan(`git ${command}`, attributes);
  const started = performance.now();
  let error: string | undefined;
  try {
    return await run();
  } catch (cause) {
    error = cause instanceof Error ? cause.name : 'error';
    throw cause;
  } finally {
    span.end({ error });
    telemetry.measure('ahp.git.duration', (performance.now() - started) / 1000, attributes);
  }
}

/** Only these are reported by name: any other argument could be the name of a file. */
const COMMANDS = [
  'rev-parse',
  'status',
  'diff-tree',
  'diff-index',
  'diff-files',
  'diff',
  'read-tree',
  'write-tree',
  'update-index',
  'update-ref',
  'hash-object',
  'cat-file',
  'ls-files',
  'ls-tree',
  'commit-tree',
  'commit',
  'merge-base',
  'merge-file',
  'for-each-ref',
  'symbolic-ref',
  'check-ignore',
  'check-attr',
  'init',
  'config',
  'gc',
  'prune',
  'repack',
  'add',
  'apply',
  'push',
  'fetch',
  'branch',
  'log',
  'rev-list',
  'show-ref',
  'worktree',
  'mktree',
  'unpack-objects',
  'pack-objects',
];
