import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Hangs up on what runs in terminals once this process is gone, also when it is killed. The system tells the shell of each, and
 * the shell its jobs; but it may end before it does, or not know yet of one that it is just starting, and that would live on. So the
 * guard tells them. What was told not to mind (`nohup`) lives on as it should. Only where the system lists its processes in /proc.
 */
export class SessionGuard {
  readonly #leaders = new Set<number>();
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
    this.#leaders.add(leader);
    this.#say('+', leader);
  }

  /** It has ended. */
  forget(leader: number): void {
    this.#leaders.delete(leader);
    this.#say('-', leader);
  }

  #say(what: '+' | '-', leader: number): void {
    this.#shell?.stdin?.write(`${what} ${leader}\n`);
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
