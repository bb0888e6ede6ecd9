import { fork, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A child of the bench: `ask` gives it a task and waits for the result. */
export async function startChild(file, args = []) {
  const child = fork(new URL(file, import.meta.url), args, { execArgv: ['--expose-gc'] });
  const waiting = new Map();
  let asked = 0;
  const port = await new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message.port));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  child.on('message', ({ id, result }) => waiting.get(id)?.(result));
  return {
    port,
    ask(task, options) {
      const id = ++asked;
      child.send({ id, task, options });
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    stop() {
      child.disconnect();
      return new Promise((resolve) => child.once('exit', resolve));
    },
  };
}

const BIN = fileURLToPath(new URL('../../packages/cli/bin/moorage.js', import.meta.url));

/** The command line itself, once it has said that it is ready. */
export async function startCommand(dataDir, { root = tmpdir(), env = process.env, stderr = 'ignore', bin = BIN } = {}) {
  const args = [bin, 'serve', '--port', '0', '--json', '--data-dir', dataDir, '--root', root];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', stderr] });
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`moorage ended with ${code}`)));
  });
  const { url, token } = JSON.parse(line);
  return {
    pid: child.pid,
    url,
    token,
    /** How it ended by itself; undefined while it runs. */
    get ended() {
      return hasEnded(child) ? `code ${child.exitCode}, signal ${child.signalCode}` : undefined;
    },
    async stop() {
      if (hasEnded(child)) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    },
  };
}

function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null;
}
