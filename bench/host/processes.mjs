import { fork } from 'node:child_process';

/** A child of the bench: `ask` gives it a task and waits for the result. */
export async function startChild(file) {
  const child = fork(new URL(file, import.meta.url), { execArgv: ['--expose-gc'] });
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
