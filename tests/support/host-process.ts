import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface HostProcess {
  readonly pid: number;
  readonly url: string;
  readonly token: string;
  readonly web: string;
  readonly ready: Readonly<Record<string, unknown>>;
  readonly stderr: () => string;
  /** Ends it as a power cut would; resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to stop; resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const BIN = fileURLToPath(new URL('../../packages/cli/bin/moorage.js', import.meta.url));

/** Starts the real command line and waits for its ready line. */
export async function startHostProcess(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<HostProcess> {
  const child = spawn(process.execPath, [BIN, 'serve', '--port', '0', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = exitOf(child);
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
    exited.then((code) => Promise.reject(new Error(`moorage ended with ${code}: ${stderr}`))),
  ]);
  const ready = JSON.parse(line) as Record<string, unknown>;
  return {
    pid: child.pid ?? 0,
    url: String(ready.url),
    token: String(ready.token),
    web: String(ready.web),
    ready,
    stderr: () => stderr,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}
