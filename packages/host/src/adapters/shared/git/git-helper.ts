import { type ChildProcess, spawn } from 'node:child_process';
import { requirePipes } from '../../../processes/require-pipes.js';
import {
  CLOSE,
  ERROR,
  EXIT,
  frame,
  frameReader,
  KILL,
  START,
  STDERR,
  STDIN,
  STDOUT,
  type StartOrder,
} from './helper-frames.js';

// A small process that starts git for the host. Starting a process copies the page tables of its parent and blocks the
// parent meanwhile: a host of some hundred megabytes would spend most of its time on that.

/** Milliseconds that git may run on after the host is gone: enough to finish a write, but a hung git is killed. */
const GRACE_MS = 2_000;

const running = new Map<number, ChildProcess>();

const receive = frameReader(({ kind, id, bytes }) => {
  if (kind === START) tryToStart(id, JSON.parse(bytes.toString()) as StartOrder);
  else if (kind === STDIN) running.get(id)?.stdin?.end(Buffer.from(bytes));
  else if (kind === KILL) running.get(id)?.kill(bytes.toString() as NodeJS.Signals);
});

type Send = (kind: number, content: Buffer | string) => void;

function tryToStart(id: number, order: StartOrder): void {
  const send: Send = (kind, content) => process.stdout.write(frame(kind, id, content));
  try {
    start(id, order, send);
  } catch (error) {
    send(ERROR, String(error));
  }
}

function start(id: number, { args, cwd, env }: StartOrder, send: Send): void {
  const child = requirePipes(spawn('git', args, { cwd, env, stdio: 'pipe' }));
  running.set(id, child);
  child.stdout.on('data', (chunk: Buffer) => send(STDOUT, chunk));
  child.stderr.on('data', (chunk: Buffer) => send(STDERR, chunk));
  child.stdin.on('error', () => {}); // git ended early; its exit code says why
  child.on('error', ({ message }) => {
    if (child.pid !== undefined) return; // killing git failed because it has just ended
    running.delete(id);
    send(ERROR, message);
  });
  child.on('exit', (code) => send(EXIT, JSON.stringify(code)));
  child.on('close', (code) => {
    if (!running.delete(id)) return;
    send(CLOSE, JSON.stringify(code));
  });
}

// Ctrl+C in a terminal reaches this process too. The host decides when to stop; the end of the pipe says that it did.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

process.stdin.on('data', receive);
process.stdin.on('close', () => {
  setTimeout(() => {
    for (const child of running.values()) child.kill('SIGKILL');
    process.exit(0);
  }, GRACE_MS).unref(); // if no git runs, there is nothing to wait for
});
process.stdout.on('error', () => {}); // the host is gone; the end of stdin says so too
