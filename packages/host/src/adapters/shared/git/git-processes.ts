import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { requirePipes } from '../../../processes/require-pipes.js';
import { signalGroup } from '../../../processes/signal-group.js';
import {
  CLOSE,
  COMPLAINT,
  ERROR,
  EXIT,
  frame,
  frameReader,
  type HelperFrame,
  INPUT,
  KILL,
  OUTPUT,
  START,
  type StartOrder,
} from './helper-frames.js';

/** What happens to a git process. */
export interface GitEvents {
  output(chunk: Buffer): void;
  complaint(chunk: Buffer): void;
  /** It has ended, though what it started may still hold its output open. */
  exited(): void;
  /** It has ended and all that it printed was heard; no code when a signal ended it. */
  closed(code: number | null): void;
  /** It could not be started. */
  failed(cause: Error): void;
}

export interface GitProcess {
  kill(signal: NodeJS.Signals): void;
  /** Nobody listens any more, though something may hold its output open for long. */
  release(): void;
}

interface Order extends StartOrder {
  readonly input?: string | Buffer | undefined;
}

/** Milliseconds after which a helper that nobody needs is ended: it takes as much memory as any Node process. */
const IDLE_MS = 60_000;

const SCRIPT = fileURLToPath(new URL('./git-helper.js', import.meta.url));

/** Starts git, by a helper process: see there why. */
export function startGit(order: Order, events: GitEvents): GitProcess {
  if (helper?.gone !== false) helper = existsSync(SCRIPT) ? new Helper() : undefined;
  // A program that embeds the host may have been packed into one file, without the helper.
  return helper ? helper.start(order, events) : startDirectly(order, events);
}

let helper: Helper | undefined;

class Helper {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #running = new Map<number, GitEvents>();
  #started = 0;
  #idle: NodeJS.Timeout | undefined;
  gone = false;

  constructor() {
    // It keeps no folder in use, and what it starts gets its environment with each order.
    const env = process.platform === 'win32' ? process.env : {};
    this.#process = requirePipes(
      spawn(process.execPath, [SCRIPT], { stdio: ['pipe', 'pipe', 'ignore'], env, cwd: '/', detached: true }),
    );
    this.#process.stdout.on(
      'data',
      frameReader((heard) => this.#hear(heard)),
    );
    this.#process.stdin.on('error', () => {}); // it is gone, which is heard below
    this.#process.on('error', (error) => this.#end(error));
    this.#process.on('close', () => this.#end(new Error('the process that starts git has ended')));
    this.#rest();
  }

  start({ input = '', ...order }: Order, events: GitEvents): GitProcess {
    const id = ++this.#started;
    this.#wake();
    this.#running.set(id, events);
    this.#say(START, id, JSON.stringify(order));
    this.#say(INPUT, id, input);
    return { kill: (signal) => this.#say(KILL, id, signal), release: () => this.#forget(id) };
  }

  #say(kind: number, id: number, content: Buffer | string): void {
    if (!this.gone) this.#process.stdin.write(frame(kind, id, content));
  }

  #hear({ kind, id, bytes }: HelperFrame): void {
    const events = this.#running.get(id);
    if (!events) return;
    if (kind === OUTPUT) events.output(bytes);
    else if (kind === COMPLAINT) events.complaint(bytes);
    else if (kind === EXIT) events.exited();
    else {
      this.#forget(id);
      if (kind === CLOSE) events.closed(JSON.parse(bytes.toString()) as number | null);
      else if (kind === ERROR) events.failed(new Error(bytes.toString()));
    }
  }

  #forget(id: number): void {
    if (this.#running.delete(id) && this.#running.size === 0 && !this.gone) this.#rest();
  }

  #end(cause: Error): void {
    this.gone = true;
    clearTimeout(this.#idle);
    const running = [...this.#running.values()];
    this.#running.clear();
    // What it had started would go on, with half of its input, beside what is tried next.
    if (running.length > 0) signalGroup(this.#process, 'SIGKILL');
    for (const events of running) {
      events.complaint(Buffer.from(cause.message));
      events.exited();
      events.closed(null);
    }
  }

  /** Nothing of it keeps the program from ending while no git runs. */
  #rest(): void {
    for (const handle of this.#handles()) handle.unref();
    this.#idle = setTimeout(() => {
      this.gone = true;
      this.#process.stdin.end();
    }, IDLE_MS).unref();
  }

  #wake(): void {
    clearTimeout(this.#idle);
    for (const handle of this.#handles()) handle.ref();
  }

  #handles() {
    return [this.#process, this.#process.stdin as Socket, this.#process.stdout as Socket];
  }
}

function startDirectly({ args, cwd, env, input }: Order, events: GitEvents): GitProcess {
  const child = requirePipes(spawn('git', args, { cwd, env, stdio: 'pipe' }));
  const kill = () => child.kill('SIGKILL'); // a host that ends at once must not leave a git behind that hangs
  process.on('exit', kill);
  child.stdout.on('data', events.output);
  child.stderr.on('data', events.complaint);
  child.on('exit', () => {
    process.off('exit', kill);
    events.exited();
  });
  child.on('close', (code) => child.pid !== undefined && events.closed(code));
  child.on('error', (cause) => child.pid === undefined && events.failed(cause));
  child.stdin.on('error', () => {}); // it ended early; its exit code says why
  child.stdin.end(input);
  const release = () => {
    child.unref();
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
  };
  return { kill: (signal) => child.kill(signal), release };
}
