import { existsSync } from 'node:fs';
import type { Telemetry } from '../../../ports/telemetry.js';
import { WorkspaceError } from '../../../ports/workspace.js';
import { startGit } from './git-processes.js';
import { GitSlots } from './git-slots.js';
import { gitEnvironment, HARDENED_SETTINGS } from './hardened.js';
import { GIT_TIMEOUT_MS, MAX_GIT_OUTPUT_BYTES } from './limits.js';
import { observed } from './observed.js';
import { assertOwnRepository, type RepositoryRules } from './repository-rules.js';

export interface GitOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** Exit codes besides 0 that count as success. */
  readonly accept?: readonly number[];
  /** Stops git; the call then rejects. */
  readonly signal?: AbortSignal | undefined;
  /** Gets git's output as it comes. */
  readonly onOutput?: (chunk: Buffer) => void;
  /** Gets git's errors and progress as they come. */
  readonly onStderr?: (chunk: string) => void;
  /** Milliseconds that git may take; GIT_TIMEOUT_MS unless given. */
  readonly timeoutMs?: number;
  /** Lets git fetch missing objects from where the repository says: only for one that the user trusts. */
  readonly mayFetch?: boolean;
}

/** Git ran to its end and reported failure. If it was killed or could not start, the error is a WorkspaceError only. */
export class GitRefusal extends WorkspaceError {}

/** On whose behalf git runs. */
export interface GitUser {
  /** Measures git commands. */
  readonly telemetry?: Telemetry | undefined;
  /** Stops what runs. */
  readonly signal?: AbortSignal | undefined;
  /** Which repositories may be used; by default only a folder's own, and none is trusted. */
  readonly rules?: RepositoryRules | undefined;
  /** The folder that the work is about; if git hangs there, only that folder waits. */
  readonly folder?: string | undefined;
}

/** Git for one user: each call is measured, cancelled and restricted as they say. */
export class Git {
  readonly user: GitUser;

  constructor(user: GitUser = {}) {
    this.user = user;
  }

  /** The same git, which this signal stops as well. */
  until(signal: AbortSignal | undefined): Git {
    return signal ? new Git({ ...this.user, signal: eitherOf(this.user.signal, signal) }) : this;
  }

  /**
   * Runs git without optional locks, and so that it runs nothing that a repository brings along. If it has to find the
   * repository by itself, that must be one that the host may use.
   */
  async run(args: readonly string[], options: GitOptions): Promise<Buffer> {
    const { telemetry, folder = options.cwd } = this.user;
    const signal = eitherOf(this.user.signal, options.signal);
    if (!namesRepository(args, options)) await assertOwnRepository(this, options.cwd);
    const release = await slots.take(folder, signal);
    try {
      if (signal?.aborted) throw new WorkspaceError(CANCELLED);
      const start = () => run(args, { ...options, signal });
      return await (telemetry?.isOn ? observed(args, telemetry, start) : start());
    } finally {
      release();
    }
  }

  /**
   * What git prints, or undefined when git answers that there is no such thing. A git that was killed or could not be
   * started gave no answer, so this throws: taken for a "no", it would make files look new, or gone.
   */
  async ask(args: readonly string[], at: string | GitOptions): Promise<string | undefined> {
    try {
      return (await this.run(args, typeof at === 'string' ? { cwd: at } : at)).toString().trim() || undefined;
    } catch (error) {
      if (error instanceof GitRefusal) return undefined;
      throw error;
    }
  }
}

function eitherOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

function namesRepository(args: readonly string[], { env, cwd }: GitOptions): boolean {
  return cwd === '/' || env?.GIT_DIR !== undefined || args[0]?.startsWith('--git-dir=') === true;
}

const CANCELLED = 'git was cancelled because its result is no longer needed';

function run(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const { cwd, env, input, accept = [], signal, onOutput, onStderr, timeoutMs = GIT_TIMEOUT_MS } = options;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let errors = '';
    const child = startGit(
      { args: [...HARDENED_SETTINGS, ...args], cwd, env: gitEnvironment(env, options), input },
      {
        stdout(chunk) {
          chunks.push(chunk);
          bytes += chunk.length;
          onOutput?.(chunk);
          if (bytes > MAX_GIT_OUTPUT_BYTES) child.kill('SIGKILL');
        },
        stderr(chunk) {
          errors = (errors + chunk).slice(-2_000);
          onStderr?.(chunk.toString());
        },
        exited() {
          // A process that git started, such as a filter, may hold git's output open long after the call was cancelled.
          if (signal?.aborted) giveUp(new WorkspaceError(CANCELLED));
        },
        closed(code) {
          settle(() => {
            if (code === 0 || (code !== null && accept.includes(code))) resolve(Buffer.concat(chunks));
            else {
              const Failure = code === null ? WorkspaceError : GitRefusal;
              reject(new Failure(`git ${commandIn(args)} failed: ${errors.trim() || (code ?? 'it was killed')}`));
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
    // SIGKILL, because a hung git may ignore other signals; and no wait for the end of its output, because a process
    // that git started may hold that open for ever.
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      giveUp(new WorkspaceError(`git ${commandIn(args)} did not end within ${Math.round(timeoutMs / 1000)} s`));
    }, timeoutMs);
  });
}

/** A missing git and a missing folder both fail with ENOENT, but the user must do different things about them. */
function whyNotStarted(cwd: string, { message }: Error): string {
  if (!existsSync(cwd)) return `the folder ${cwd} does not exist`;
  return message.includes('ENOENT') ? 'git cannot be run; install it to see changes' : `git cannot be run: ${message}`;
}

function commandIn(args: readonly string[]): string {
  return args.find((arg) => /^[a-z-]+$/.test(arg) && arg !== '-c') ?? '';
}

const slots = new GitSlots();
