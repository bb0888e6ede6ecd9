import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string | Buffer;
}

/**
 * Runs a program to its end and gives what it printed, as `execFileSync` does, from a small process that stays: starting one from a
 * process that runs tests costs ten times as much, because Node copies the page tables of its hundreds of megabytes each time.
 */
export function run(file: string, args: readonly string[], { cwd, env, input = '' }: RunOptions = {}): Buffer {
  const small = smallProcess();
  const order = { file, args, cwd: cwd ?? process.cwd(), env: env ?? process.env };
  send(small, Buffer.from(JSON.stringify(order)));
  send(small, Buffer.from(input));
  const { status, signal, error } = JSON.parse(receive(small).toString()) as Ended;
  const [stdout, stderr] = [receive(small), receive(small)];
  if (error) throw Object.assign(new Error(error.message), { code: error.code, stdout, stderr });
  if (status === 0) return stdout;
  const what = `Command failed: ${[file, ...args].join(' ')}\n${stderr}`;
  throw Object.assign(new Error(what), { status, signal, stdout, stderr });
}

interface Ended {
  readonly status: number | null;
  readonly signal: string | null;
  readonly error?: { readonly message: string; readonly code?: string };
}

interface SmallProcess {
  readonly orders: number;
  readonly results: number;
}

/** Test files share processes, but not always their modules. */
const holder = globalThis as { [SMALL]?: SmallProcess };
const SMALL = Symbol.for('moorage.smallProcess');

function smallProcess(): SmallProcess {
  holder[SMALL] ??= start();
  return holder[SMALL];
}

/** It ends when nobody can give it orders any more. */
function start(): SmallProcess {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-small-process-'));
  const paths = ['orders', 'results'].map((name) => join(folder, name));
  execFileSync('mkfifo', paths);
  const script = fileURLToPath(new URL('./small-process.mjs', import.meta.url));
  spawn(process.execPath, [script, ...paths], { stdio: ['ignore', 'ignore', 'inherit'], cwd: '/' }).unref();
  const [orders = '', results = ''] = paths;
  const small = { orders: openSync(orders, 'w'), results: openSync(results, 'r') };
  rmSync(folder, { recursive: true }); // both sides have opened them: a test may look for what is left in its folder
  return small;
}

function send({ orders }: SmallProcess, bytes: Buffer): void {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  for (const part of [length, bytes])
    for (let at = 0; at < part.length; ) at += writeSync(orders, part, at, part.length - at);
}

function receive({ results }: SmallProcess): Buffer {
  return read(results, read(results, 4).readUInt32LE());
}

function read(from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = readSync(from, bytes, at, length - at, null);
    if (count === 0) throw new Error('the small process that runs programs for tests has ended');
    at += count;
  }
  return bytes;
}
