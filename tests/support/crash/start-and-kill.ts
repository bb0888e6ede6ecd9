import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../../packages/cli/bin/moorage.js', import.meta.url));

/** Starts a host and kills it after this time, however far it came. */
export async function startAndKill(args: readonly string[], env: NodeJS.ProcessEnv, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [BIN, 'serve', ...args], { stdio: 'ignore', env: { ...process.env, ...env } });
  const exited = once(child, 'exit');
  await sleep(afterMs);
  child.kill('SIGKILL');
  await exited;
}
