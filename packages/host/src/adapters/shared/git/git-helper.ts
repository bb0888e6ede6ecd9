import { type ChildProcess, spawn } from 'node:child_process';
import { requirePipes } from '../../../processes/require-pipes.js';
import {
  CLOSE,
  COMPLAINT,
  ERROR,
  EXIT,
  frame,
  frameReader,
  INPUT,
  KILL,
  OUTPUT,
  START,
  type StartOrder,
} from './helper-frames.js';

// A small process that starts git for the host. Starting a process copies the tables of the memory of who starts it, and
// nothing else can happen meanwhile: a host of some hundred megabytes would spend most of its time on that.

/** Milliseconds that git may go on after the host is gone: what it writes gets whole, and one that hangs gets killed. */
const GRACE_MS = 2_000;

const running = new Map<number, ChildProcess>();

const receive = frameReader(({ kind, id, bytes }) => {
  if (kind === START) tryToStart(id, JSON.parse(bytes.toString()) as StartOrder);
  else if (kind === INPUT) running.get(id)?.stdin?.end(Buffer.from(bytes));
  else if (kind === KILL) running.get(id)?.kill(bytes.toString() as NodeJS.Signals);
});

type Tell = (kind: number, content: Buffer | string) => void;

function tryToStart(id: number, order: StartOrder): void {
  const tell: Tell = (kind, content) => process.stdout.write(frame(kind, id, content));
  try {
    start(id, order, tell);
  } catch (error) {
    tell(ERROR, String(error));
  }
}

function start(id: number, { args, cwd, env }: StartOrder, tell: Tell): void {
  const child = requirePipes(spawn('git', args, { cwd, env, stdio: 'pipe' }));
  running.set(id, child);
  child.stdout.on('data', (chunk: Buffer) => tell(OUTPUT, chunk));
  child.stderr.on('data', (chunk: Buffer) => tell(COMPLAINT, chunk));
  child.stdin.on('error', () => {}); // it ended early; its exit code says why
  child.on('error', ({ message }) => {
    if (child.pid !== undefined) return; // it could not be killed: it has just ended
    running.delete(id);
    tell(ERROR, message);
  });
  child.on('exit', (code) => tell(EXIT, JSON.stringify(code)));
  child.on('close', (code) => {
    if (!running.delete(id)) return;
    tell(CLOSE, JSON.stringify(code));
  });
}

// The keys that end the host in a terminal reach this process too; the host decides, and the end of its pipe says so.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

process.stdin.on('data', receive);
process.stdin.on('close', () => {
  setTimeout(() => {
    for (const child of running.values()) child.kill('SIGKILL');
    process.exit(0);
  }, GRACE_MS).unref(); // without a git that runs there is nothing to wait for
});
process.stdout.on('error', () => {}); // the host is gone, which the end of the input says as well
