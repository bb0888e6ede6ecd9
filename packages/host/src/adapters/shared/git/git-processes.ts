import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { requirePipes } from '../../../processes/require-pipes.js';
import { signalGroup } from '../../../processes/signal-group.js';
import {
  CLOSE,
  ERROR,
  EXIT,
  frame,
  frameReader,
  type HelperFrame,
  KILL,
  START,
  STDERR,
  STDIN,
  STDOUT,
  type StartOrder,
} from './helper-frames.js';

export interface GitEvents {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
  /** Git has ended, but a process that it started may still hold its output open. */
  exited(): void;
  /** Git has ended and all its output has been passed on. The code is null if a signal ended git. */
  closed(code: number | null): void;
  /** Git could not be started. */
  failed(cause: Error): void;
}

export interface GitProcess {
  kill(signal: NodeJS.Signals): void;
  /** Stops listening: something may hold git's output open for a long time. */
  release(): void;
}

interface Order extends StartOrder {
  readonly input?: string | Buffer | undefined;
}

/** Milliseconds after which an idle helper is ended: it takes as much memory as any Node process. */
const IDLE_MS = 60_000;

const SCRIPT = fileURLToPath(new URL('./git-helper.js', import.meta.url));

/** Starts git through a helper process; git-helper.ts says why. */
export function startGit(order: Order, events: GitEvents): GitProcess {
  if (helper?.gone !== false) helper = existsSync(SCRIPT) ? new Helper() : undefined;
  // A program that embeds the host may be bundled into one file, without the helper.
  return helper ? helper.start(order, events) : startDirectly(order, events);
}

let helper: Helper | undefined;

class Helper {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #running = new Map<number, GitEvents>();
  #started = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  gone = false;

  constructor() {
    // The helper runs in / so that it keeps no folder in use. Each git gets its environment with the order to start it.
    const env = process.platform === 'win32' ? process.env : {};
    this.#process = requirePipes(
      spawn(process.execPath, [SCRIPT], { stdio: ['pipe', 'pipe', 'ignore'], env, cwd: '/', detached: true }),
    );
    this.#process.stdout.on(
      'data',
      frameReader((received) => this.#receive(received)),
    );
    this.#process.stdin.on('error', () => {}); // the helper is gone; 'close' reports it
    this.#process.on('error', (error) => this.#end(error));
    this.#process.on('close', () => this.#end(new Error('the process that starts git has ended')));
    this.#becomeIdle();
  }

  start({ input = '', ...order }: Order, events: GitEvents): GitProcess {
    const id = ++this.#started;
    this.#becomeBusy();
    this.#running.set(id, events);
    this.#send(START, id, JSON.stringify(order));
    this.#send(STDIN, id, input);
    return { kill: (signal) => this.#send(KILL, id, signal), release: () => this.#forget(id) };
  }

  #send(kind: number, id: number, content: Buffer | string): void {
    if (!this.gone) this.#process.stdin.write(frame(kind, id, content));
  }

  #receive({ kind, id, bytes }: HelperFrame): void {
    const events = this.#running.get(id);
    if (!events) return;
    if (kind === STDOUT) events.stdout(bytes);
    else if (kind === STDERR) events.stderr(bytes);
    else if (kind === EXIT) events.exited();
    else {
      this.#forget(id);
      if (kind === CLOSE) events.closed(JSON.parse(bytes.toString()) as number | null);
      else if (kind === ERROR) events.failed(new Error(bytes.toString()));
    }
  }

  #forget(id: number): void {
    if (this.#running.delete(id) && this.#running.size === 0 && !this.gone) this.#becomeIdle();
  }

  #end(cause: Error): void {
    this.gone = true;
    clearTimeout(this.#idleTimer);
    const running = [...this.#running.values()];
    this.#running.clear();
    // Any git that the helper had started would go on, with half of its input, alongside the next attempt.
    if (running.length > 0) signalGroup(this.#process, 'SIGKILL');
    for (const events of running) {
      events.stderr(Buffer.from(cause.message));
      events.exited();
      events.closed(null);
    }
  }

  /** While no git runs, the helper does not keep the program from exiting. */
  #becomeIdle(): void {
    for (const handle of this.#handles()) handle.unref();
    this.#idleTimer = setTimeout(() => {
      this.gone = true;
      this.#process.stdin.end();
    }, IDLE_MS).unref();
  }

  #becomeBusy(): void {
    clearTimeout(this.#idleTimer);
    for (const handle of this.#handles()) handle.ref();
  }

  #handles() {
    return [this.#process, this.#process.stdin as Socket, this.#process.stdout as Socket];
  }
}

function startDirectly({ args, cwd, env, input }: Order, events: GitEvents): GitProcess {
  const child = requirePipes(spawn('git', args, { cwd, env, stdio: 'pipe' }));
  const kill = () => child.kill('SIGKILL'); // a host that exits abruptly must not leave a hung git behind
  process.on('exit', kill);
  child.stdout.on('data', events.stdout);
  child.stderr.on('data', events.stderr);
  child.on('exit', () => {
    process.off('exit', kill);
    events.exited();
  });
  child.on('close', (code) => child.pid !== undefined && events.closed(code));
  child.on('error', (cause) => child.pid === undefined && events.failed(cause));
  child.stdin.on('error', () => {}); // git ended early; its exit code says why
  child.stdin.end(input);
  const release = () => {
    child.unref();
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
  };
  return { kill: (signal) => child.kill(signal), release };
}
