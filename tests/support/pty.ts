import { createRequire } from 'node:module';

/** The part of node-pty that is used here. */
interface NodePty {
  onData(listener: (data: string) => void): void;
  onExit(listener: (end: { exitCode: number }) => void): void;
  write(text: string): void;
  kill(signal: string): void;
}

// The library is the host's; tests have no dependencies of their own.
const hostRequire = createRequire(new URL('../../packages/host/package.json', import.meta.url));
const { spawn } = hostRequire('@lydell/node-pty') as {
  spawn(file: string, args: string[], options: object): NodePty;
};

/** How long something may take to show; only a failure waits this long. */
const LIMIT_MS = 30_000;

/** A program in a real terminal, typed at and looked at as a person does. */
export class Pty {
  readonly #pty: NodePty;
  readonly #listeners = new Set<() => void>();
  #exit: number | undefined;
  /** Everything it wrote, escape sequences included. */
  raw = '';
  /** Up to here `sees` has looked: each wait looks for something new. */
  #seen = 0;

  constructor(file: string, args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.#pty = spawn(file, args, { ...options, cols: 120, rows: 40, name: 'xterm-256color' });
    this.#pty.onData((data) => {
      this.raw += data;
      this.#changed();
    });
    this.#pty.onExit(({ exitCode }) => {
      this.#exit = exitCode;
      this.#changed();
    });
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  /** Waits until the text shows, after what was waited for before. */
  async sees(text: string): Promise<void> {
    await this.#until(() => this.raw.indexOf(text, this.#seen) >= 0, `"${text}"`);
    this.#seen = this.raw.indexOf(text, this.#seen) + text.length;
  }

  /** Waits for its end; resolves with its code. */
  async ended(): Promise<number> {
    await this.#until(() => this.#exit !== undefined, 'its end');
    return this.#exit ?? -1;
  }

  kill(): void {
    if (this.#exit === undefined) this.#pty.kill('SIGKILL');
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #until(holds: () => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        this.#listeners.delete(look);
      };
      const look = () => {
        if (!holds() && this.#exit === undefined) return;
        done();
        if (holds()) resolve();
        else reject(new Error(`it ended with ${this.#exit} before ${what} showed:\n${this.raw}`));
      };
      const timer = setTimeout(() => {
        done();
        reject(new Error(`waited for ${what} in:\n${this.raw}`));
      }, LIMIT_MS);
      this.#listeners.add(look);
      look();
    });
  }
}
