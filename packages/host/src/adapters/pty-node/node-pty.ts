import { Socket } from 'node:net';
import type { IPty } from '@lydell/node-pty';
import type { Pty, PtyExit } from '../../ports/pty.js';
import { foregroundGroup } from './foreground-group.js';
import { InputQueue } from './input-queue.js';
import { KILL_GRACE_MS, PAUSED_CHECK_MS } from './limits.js';
import { readUnread } from './unread.js';

/** A terminal of the library that neither blocks on input, nor loses the last output, nor survives `kill`. */
export class NodePty implements Pty {
  readonly #pty: IPty;
  readonly #socket: Socket | undefined;
  /** Undefined where the library does not expose its file descriptor. */
  readonly #input: InputQueue | undefined;
  readonly #onData: ((data: Uint8Array) => void)[] = [];
  #exited = false;
  #killer: NodeJS.Timeout | undefined;
  #pausedCheck: NodeJS.Timeout | undefined;

  constructor(pty: IPty) {
    this.#pty = pty;
    const socket = socketOf(pty);
    this.#socket = socket;
    const fd = fileOf(pty);
    if (socket && fd !== undefined) this.#input = new InputQueue(fd, () => !socket.destroyed);
    // Without an encoding the library passes bytes, although its types say strings.
    pty.onData((data: string | Uint8Array) => this.#emit(typeof data === 'string' ? Buffer.from(data) : data));
    this.#socket?.prependListener('end', () => this.#takeUnread());
    pty.onExit(() => {
      this.#exited = true;
      clearTimeout(this.#killer);
      clearInterval(this.#pausedCheck);
      this.#input?.stop();
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get wasKilled(): boolean {
    return this.#killer !== undefined;
  }

  write(data: string): void {
    if (this.#exited) return;
    if (this.#input) this.#input.push(data);
    else this.#pty.write(data);
  }

  resize(cols: number, rows: number): void {
    if (this.#exited) return;
    try {
      this.#pty.resize(cols, rows);
    } catch {
      // The program has just ended.
    }
  }

  pause(): void {
    if (this.#exited) return;
    this.#pty.pause();
    this.#pausedCheck ??= setInterval(() => {
      if (isAlive(this.pid)) return;
      this.#takeUnread();
      this.resume();
    }, PAUSED_CHECK_MS);
  }

  resume(): void {
    clearInterval(this.#pausedCheck);
    this.#pausedCheck = undefined;
    if (!this.#exited) this.#pty.resume();
  }

  kill(): void {
    if (this.#exited || this.#killer) return;
    this.#signal('SIGHUP');
    this.#signal('SIGCONT'); // a program stopped by job control could not handle the hang-up
    this.resume();
    this.#killer = setTimeout(() => this.#signal('SIGKILL'), KILL_GRACE_MS);
  }

  onData(listener: (data: Uint8Array) => void): void {
    this.#onData.push(listener);
  }

  onExit(listener: (exit: PtyExit) => void): void {
    this.#pty.onExit(({ exitCode, signal }) => listener(signal ? { exitCode: 128 + signal, signal } : { exitCode }));
  }

  /**
   * Signals the program, its group and the terminal's foreground group, but only while the program lives: afterwards the
   * system may reuse these ids.
   */
  #signal(signal: NodeJS.Signals): void {
    if (this.#exited || !isAlive(this.pid)) return;
    const foreground = foregroundGroup(this.pid);
    for (const target of new Set([-this.pid, this.pid, ...(foreground === undefined ? [] : [-foreground])])) {
      try {
        process.kill(target, signal);
      } catch {
        // The process has just ended.
      }
    }
  }

  /** Reads what the ended program wrote last, before the library closes the terminal. */
  #takeUnread(): void {
    const fd = fileOf(this.#pty);
    if (fd === undefined || !this.#socket || this.#socket.destroyed) return;
    while (this.#socket.read() !== null) {} // each read emits 'data' to the listeners
    for (const chunk of readUnread(fd)) this.#emit(chunk);
  }

  #emit(data: Uint8Array): void {
    for (const listener of this.#onData) listener(data);
  }
}

function fileOf(pty: IPty): number | undefined {
  const fd: unknown = Reflect.get(pty, 'fd');
  return typeof fd === 'number' && process.platform !== 'win32' ? fd : undefined;
}

/** The library's own socket, because the library does not report the end of the stream itself. */
function socketOf(pty: IPty): Socket | undefined {
  const socket: unknown = Reflect.get(pty, '_socket');
  return socket instanceof Socket ? socket : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
