import { type ChildProcess, spawn } from 'node:child_process';
import { sessionMembers } from './session-members.js';

/**
 * Sends SIGHUP to everything that runs in a terminal when it is closed, and in all terminals when this process ends, even if
 * it is killed. The system itself only signals the shell, which passes the signal to its jobs; but the shell may end before
 * it does, or while it is just starting a job, and that job would live on. Programs that ignore SIGHUP (`nohup`) survive, as
 * they should. Works only on Linux, by way of /proc. A session here is one of processes, named by its leader's pid.
 */
export class SessionGuard {
  readonly #leaders = new Set<number>();
  /** Leaders that have ended while members of their session may still run; true if those must be sent SIGHUP. */
  readonly #ended = new Map<number, boolean>();
  #sweeping = Promise.resolve();
  #isSweepDue = false;
  #shell: ChildProcess | undefined;

  /** Starts the guard process. Call it before a terminal is opened: this process may be killed at any moment. */
  prepare(): void {
    if (process.platform !== 'linux' || this.#shell) return;
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'moorage-terminal-guard'], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    this.#shell = shell;
    const onGone = () => {
      if (this.#shell === shell) this.#shell = undefined; // the next terminal starts another
    };
    shell.on('error', onGone);
    shell.on('exit', onGone);
    shell.stdin?.on('error', () => {});
    shell.unref();
    for (const leader of this.#leaders) this.#send('+', leader);
  }

  watch(leader: number): void {
    this.#ended.delete(leader);
    this.#scheduleSweep();
    if (this.#leaders.has(leader)) return; // the pid was reused
    this.#leaders.add(leader);
    this.#send('+', leader);
  }

  /** The leader ended by itself: its background jobs may continue for as long as this process lives. */
  ended(leader: number): void {
    this.#ended.set(leader, false);
    this.#scheduleSweep();
  }

  /** The terminal was closed, perhaps before the shell could signal its jobs: they get SIGHUP, once. */
  hangUp(leader: number): void {
    this.#ended.set(leader, true);
    this.#scheduleSweep();
  }

  /** Sweeps run one at a time; all leaders that end during one share the next. */
  #scheduleSweep(): void {
    if (this.#isSweepDue || this.#ended.size === 0) return;
    this.#isSweepDue = true;
    const sweep = () => {
      this.#isSweepDue = false;
      return this.#sweep();
    };
    this.#sweeping = this.#sweeping.then(sweep, sweep); // one that failed must not prevent the next
  }

  /** Hangs up on remaining members of closed terminals, and forgets sessions without members. */
  async #sweep(): Promise<void> {
    const leaders = new Set(this.#ended.keys());
    const members = await sessionMembers(leaders);
    for (const leader of leaders) {
      const mustHangUp = this.#ended.get(leader);
      if (mustHangUp === undefined) continue;
      const left = members.get(leader) ?? [];
      // A pid is not reused while a session has its number. So if the leader's pid runs, it leads a new session of its own.
      if (left.length === 0 || left.includes(leader)) this.#forget(leader);
      else if (mustHangUp) {
        this.#ended.set(leader, false);
        for (const pid of left) hangUpOn(pid);
      }
    }
  }

  #forget(leader: number): void {
    this.#ended.delete(leader);
    this.#leaders.delete(leader);
    this.#send('-', leader);
  }

  #send(what: '+' | '-', leader: number): void {
    this.#shell?.stdin?.write(`${what} ${leader}\n`);
  }
}

/** SIGCONT wakes a stopped process, which would not act on SIGHUP otherwise. */
function hangUpOn(pid: number): void {
  try {
    process.kill(pid, 'SIGHUP');
    process.kill(pid, 'SIGCONT');
  } catch {
    // It has just ended.
  }
}

/** In `/proc/<pid>/stat` the session is the fourth word after the parenthesized name. */
const SCRIPT = `
leaders=' '
while read -r what leader; do
  case $what in
    +) leaders="$leaders$leader " ;;
    -) case $leaders in *" $leader "*) leaders="\${leaders%% $leader *} \${leaders#* $leader }" ;; esac ;;
  esac
done
case $leaders in *[0-9]*) ;; *) exit ;; esac
for _ in 1 2 3; do
  /bin/sleep 1
  for stat in /proc/[0-9]*/stat; do
    read -r line < "$stat" || continue
    pid=\${line%% *}
    set -- \${line##*) }
    case $leaders in *" $4 "*) kill -HUP "$pid" && kill -CONT "$pid" ;; esac
  done
done
`;
