import { spawnSync } from 'node:child_process';

/** Like `2.43.0`; undefined when git is not there. */
export function gitVersion(): string | undefined {
  const { stdout, status } = spawnSync('git', ['--version'], { encoding: 'utf8' });
  return status === 0 ? /\d+(\.\d+)+/.exec(stdout)?.[0] : undefined;
}
