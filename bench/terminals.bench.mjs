// Terminals against a bare node-pty: how much gets through, and how soon a key comes back.
import { WebSocket } from 'ws';
import { startChild } from './host/processes.mjs';
import { median } from './lib/fit.mjs';
import { watchTerminal } from './terminals/watcher.mjs';

export function cases({ smoke }) {
  return [throughput(smoke), latency(smoke)];
}

/** The same bytes, read to the end: by a loop that counts them, and by a client of a host. */
function throughput(smoke) {
  const lines = smoke ? 1000 : 500_000; // of 100 bytes
  const command = `yes ${'x'.repeat(98)} | head -n ${lines}`;
  return {
    name: `output of ${lines / 10_000} MB to one client`,
    atMost: 3,
    work: lines,
    async run() {
      const bare = await startChild('../terminals/bare.mjs');
      const host = await startChild('../terminals/terminal-host.mjs');
      const baseline = [];
      const ours = [];
      for (let round = 0; round < (smoke ? 1 : 5); round++) {
        baseline.push(await bare.ask('read', { command, bytes: lines * 100 }));
        ours.push(await read(host.port, command, lines * 100));
      }
      await bare.stop();
      await host.stop();
      return { baselineMs: median(baseline), oursMs: median(ours) };
    },
  };
}

async function read(port, command, bytes) {
  let chars = 0;
  let tail = '';
  let finish = () => {};
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  const terminal = await watchTerminal(port, (data) => {
    chars += data.length;
    tail = (tail + data).slice(-100);
    if (tail.includes('the end\r\n')) finish();
  });
  const started = performance.now();
  terminal.type(`${command}; echo the e''nd\r`);
  await finished;
  const ms = performance.now() - started;
  terminal.close();
  if (chars < bytes) throw new Error(`the host lost ${bytes - chars} bytes`);
  return ms;
}

/** From a key to its echo, in turn: at a bare terminal behind a bare socket, and at a client of a host. */
function latency(smoke) {
  const rounds = smoke ? 5 : 500;
  return {
    name: 'keystroke to echo, median',
    atMost: 3,
    work: 1,
    async run() {
      const bare = await startChild('../terminals/bare.mjs');
      const host = await startChild('../terminals/terminal-host.mjs');
      const socket = new WebSocket(`ws://127.0.0.1:${bare.port}/`);
      await new Promise((resolve) => socket.once('open', resolve));
      let heard = () => {};
      const terminal = await watchTerminal(host.port, (data) => heard(data));
      const until = (text) =>
        new Promise((resolve) => {
          heard = (data) => data.includes(text) && resolve();
        });
      const ready = until('ready\r\n');
      terminal.type("echo rea''dy; cat\r");
      await ready;
      const baseline = [];
      const ours = [];
      for (let round = 0; round < rounds; round++) {
        baseline.push(await timed(() => socket.send('x'), new Promise((resolve) => socket.once('message', resolve))));
        ours.push(await timed(() => terminal.type('x'), until('x')));
        await new Promise((resolve) => setTimeout(resolve, 8)); // as a person types: not all in one breath
      }
      terminal.close();
      socket.close();
      await bare.stop();
      await host.stop();
      return { baselineMs: median(baseline), oursMs: median(ours) };
    },
  };
}

async function timed(press, echoed) {
  const started = performance.now();
  press();
  await echoed;
  return performance.now() - started;
}
