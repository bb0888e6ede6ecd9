import { type ChildProcess, spawn } from 'node:child_process';
import { sessionMembers } from './session-members.js';

/**
 * Hangs up on what runs in a terminal when that is closed, and in all of them once this process is gone, also when it is killed. The
 * system tells the shell of each, and the shell its jobs; but it may end before it does, or not know yet of one that it is just
 * starting, and that would live on. So the guard tells them. What was told not to mind (`nohup`) lives on as it should. Only where
 * the system lists its processes in /proc.
 */
export class SessionGuard {
  readonly #leaders = new Set<number>();
  /** Those of them that have ended but of whose session something may still run, and whether that must be told now. */
  readonly #ended = new Map<number, boolean>();
  #looking = Promise.resolve();
  #lookIsDue = false;
  #shell: ChildProcess | undefined;

  /** Before there is anything to be guarded: this process may be killed at any moment. */
  prepare(): void {
    if (process.platform !== 'linux' || this.#shell) return;
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'ahpd-terminal-guard'], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    this.#shell = shell;
    const lose = () => {
      if (this.#shell === shell) this.#shell = undefined; // the next terminal starts another
    };
    shell.on('error', lose);
    shell.on('exit', lose);
    shell.stdin?.on('error', () => {});
    shell.unref();
    for (const leader of this.#leaders) this.#say('+', leader);
  }

  watch(leader: number): void {
    this.#ended.delete(leader);
    this.#look();
    if (this.#leaders.has(leader)) return; // the number is used again
    this.#leaders.add(leader);
    this.#say('+', leader);
  }

  /** It has ended by itself: what it left in the background may go on, as long as this process does. */
  ended(leader: number): void {
    this.#ended.set(leader, false);
    this.#look();
  }

  /** It was ended, perhaps before it could tell its jobs: they are told, once. */
  hangUp(leader: number): void {
    this.#ended.set(leader, true);
    this.#look();
  }

  /** One after the other, and one for all that end meanwhile. */
  #look(): void {
    if (this.#lookIsDue || this.#ended.size === 0) return;
    this.#lookIsDue = true;
    this.#looking = this.#looking.then(() => {
      this.#lookIsDue = false;
      return this.#lookForLeft();
    });
  }

  async #lookForLeft(): Promise<void> {
    const looked = new Set(this.#ended.keys());
    const members = await sessionMembers(looked);
    for (const leader of looked) {
      const mustHear = this.#ended.get(leader);
      if (mustHear === undefined) continue;
      const left = members.get(leader) ?? [];
      // No number is used again while a session has it: a process with it is another one, in a session of its own.
      if (left.length === 0 || left.includes(leader)) this.#forget(leader);
      else if (mustHear) {
        this.#ended.set(leader, false);
        for (const pid of left) hangUpOn(pid);
      }
    }
  }

  #forget(leader: number): void {
    this.#ended.delete(leader);
    this.#leaders.delete(leader);
    this.#say('-', leader);
  }

  #say(what: '+' | '-', leader: number): void {
    this.#shell?.stdin?.write(`${what} ${leader}\n`);
  }
}

/** And wakes what is stopped: it could not hear of it. */
function hangUpOn(pid: number): void {
  try {
    process.kill(pid, 'SIGHUP');
    process.kill(pid, 'SIGCONT');
  } catch {
    // It has ended in this moment.
  }
}

/** In `/proc/<pid>/stat` the session is the fourth word after the name, which stands in parentheses. */
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
