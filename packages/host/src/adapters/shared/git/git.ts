import { existsSync } from 'node:fs';
import { WorkspaceError } from '../../../ports/workspace.js';
import { gitUser } from './git-life.js';
import { startGit } from './git-processes.js';
import { GIT_TIMEOUT_MS, MAX_GIT_OUTPUT_BYTES, MAX_GIT_PROCESSES } from './limits.js';
import { observed } from './observed.js';

export interface GitOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** Exit codes besides 0 that are an answer, not a failure. */
  readonly accept?: readonly number[];
  /** Stops it; it then fails. */
  readonly signal?: AbortSignal | undefined;
  /** Hears what it prints as it comes. */
  readonly onOutput?: (chunk: Buffer) => void;
  /** Hears what it complains about and how far it is. */
  readonly onComplaint?: (chunk: string) => void;
  /** Milliseconds it may take, where that is more than usual. */
  readonly timeoutMs?: number;
}

/** Git ran to its end and said no. One that was killed or could not be started has said nothing. */
export class GitRefusal extends WorkspaceError {}

/** Runs git with nothing of the user's environment but where programs and settings lie, and without optional locks. */
export async function git(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const { telemetry, signal: end } = gitUser();
  const signal = end && options.signal ? AbortSignal.any([end, options.signal]) : (end ?? options.signal);
  await slots.take();
  try {
    if (signal?.aborted) throw new WorkspaceError('nobody waits for it any more');
    return await observed(args, telemetry, () => run(args, { ...options, signal }));
  } finally {
    slots.give();
  }
}

/** Nothing of the user's is run, and nothing beside the index is written by it. */
const SETTINGS = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.untrackedCache=false'].flatMap(
  (setting) => ['-c', setting],
);

/** The environment of every git process of ours. */
export function gitEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, XDG_CONFIG_HOME } = process.env;
  return {
    PATH,
    HOME,
    ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    ...extra,
  };
}

function run(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const { cwd, env, input, accept = [], signal, onOutput, onComplaint, timeoutMs = GIT_TIMEOUT_MS } = options;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let complaint = '';
    const child = startGit(
      { args: [...SETTINGS, ...args], cwd, env: gitEnvironment(env), input },
      {
        output(chunk) {
          chunks.push(chunk);
          bytes += chunk.length;
          onOutput?.(chunk);
          if (bytes > MAX_GIT_OUTPUT_BYTES) child.kill('SIGKILL');
        },
        complaint(chunk) {
          complaint = (complaint + chunk).slice(-2_000);
          onComplaint?.(chunk.toString());
        },
        exited() {
          // What git started, as a filter, may hold its output open for long after nobody waits for it any more.
          if (signal?.aborted) giveUp(new WorkspaceError('nobody waits for it any more'));
        },
        closed(code) {
          settle(() => {
            if (code === 0 || (code !== null && accept.includes(code))) resolve(Buffer.concat(chunks));
            else {
              const Failure = code === null ? WorkspaceError : GitRefusal;
              reject(new Failure(`git ${commandIn(args)} failed: ${complaint.trim() || (code ?? 'it was killed')}`));
            }
          });
        },
        failed(cause) {
          settle(() => reject(new WorkspaceError(whyNotStarted(cwd, cause), { cause })));
        },
      },
    );
    const settle = (end: () => void) => {
      clearTimeout(limit);
      signal?.removeEventListener('abort', abort);
      end();
    };
    const giveUp = (why: WorkspaceError) => {
      child.release();
      settle(() => reject(why));
    };
    const abort = () => child.kill('SIGTERM');
    signal?.addEventListener('abort', abort, { once: true });
    // Killed, since one that hangs may not listen; and given up, since what it started may hold its output open for ever.
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      giveUp(new WorkspaceError(`git ${commandIn(args)} did not end within ${Math.round(timeoutMs / 1000)} s`));
    }, timeoutMs);
  });
}

/** Both a missing program and a missing folder are ENOENT here, and they ask for different things. */
function whyNotStarted(cwd: string, { message }: Error): string {
  if (!existsSync(cwd)) return `the folder ${cwd} does not exist`;
  return message.includes('ENOENT') ? 'git cannot be run; install it to see changes' : `git cannot be run: ${message}`;
}

function commandIn(args: readonly string[]): string {
  return args.find((arg) => /^[a-z-]+$/.test(arg) && arg !== '-c') ?? '';
}

/** Lets so many through at a time. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  take(): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}

const slots = new Slots(MAX_GIT_PROCESSES);
