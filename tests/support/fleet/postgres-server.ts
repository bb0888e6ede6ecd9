import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '@moorage/fleet';
import { freePort } from '../free-port.js';
import { removeFolder } from '../remove-folder.js';

/** A real PostgreSQL server of the test's own. */
export interface PostgresServer {
  readonly url: string;
  /** As `kill -9` of all its processes. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Another server that follows this one. */
  standby(): Promise<PostgresServer>;
  /** Stops it, and removes what it kept. */
  end(): Promise<void>;
}

/** The folder of PostgreSQL's programs; undefined where it is not installed. */
export function postgresPrograms(): string | undefined {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return undefined;
  const folders = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
  return folders.map((version) => join(versions, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')));
}

/** Starts one on a free port of loopback, with a database that is empty. */
export async function startPostgres(): Promise<PostgresServer> {
  const made = emptyDatabase();
  return startWith((data) => ['cp', '-a', made, data]);
}

let made: string | undefined;

/** Made once for all tests that this process runs, and copied for each server. */
function emptyDatabase(): string {
  if (made !== undefined && existsSync(made)) return made;
  const folder = ownFolder('moorage-postgres-made-');
  const settings = ['-U', 'moorage', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  made = join(folder, 'data');
  run('initdb', [...settings, '-D', made], folder);
  return made;
}

/** Starts one whose data folder a program makes. */
async function startWith(make: (data: string) => readonly [string, ...string[]]): Promise<PostgresServer> {
  const folder = ownFolder('moorage-postgres-');
  const as = unprivileged();
  const data = join(folder, 'data');
  const [program, ...args] = make(data);
  run(program, args, folder);
  const port = await freePort();
  const url = `postgres://moorage@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;

  /** Starts it again and again, as a supervisor would: memory or the port of one that was killed may be in use for a moment longer. */
  const start = async () => {
    for (let attempt = 1; ; attempt++) {
      const problem = await tryToStart();
      if (problem === undefined) return;
      if (attempt === START_ATTEMPTS) throw new Error(problem);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  /** What it said if it ended at once. */
  const tryToStart = async (): Promise<string | undefined> => {
    const options = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1', ...IN_FOLDER];
    const started = spawn(join(programs(), 'postgres'), options, {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: folder,
      detached: true,
      ...as,
    });
    child = started;
    let said = '';
    started.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-2_000);
    });
    let code: number | null | undefined;
    started.once('exit', (ended) => {
      code = ended;
    });
    const database = openPostgres({ url, maxConnections: 1 });
    try {
      for (;;) {
        if (code !== undefined) return `postgres ended with ${code}: ${said}`;
        const isUp = await database.query('select 1').then(
          () => true,
          () => false,
        );
        if (isUp) return undefined;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    } finally {
      await database.close();
    }
  };
  const kill = async () => {
    const ended = child;
    child = undefined;
    if (ended?.pid === undefined || ended.exitCode !== null) return;
    const exited = new Promise((resolve) => ended.once('exit', resolve));
    // Those that serve connections have groups of their own, and would answer for a moment longer.
    const children = readFileSync(`/proc/${ended.pid}/task/${ended.pid}/children`, 'utf8').trim().split(' ');
    for (const pid of [-ended.pid, ...children.map(Number)]) killNow(pid);
    await exited;
    for (const pid of children) await gone(Number(pid));
  };
  await start();
  return {
    url,
    kill,
    restart: start,
    standby: () => startWith((copy) => ['pg_basebackup', '-d', url, '-D', copy, '-R', '-c', 'fast']),
    end: async () => {
      await kill();
      await removeFolder(folder);
    },
  };
}

const START_ATTEMPTS = 100;

/** One that was killed leaves what it shares in memory where it is: so that goes with its folder. */
const IN_FOLDER = ['-c', 'dynamic_shared_memory_type=mmap'];

/** A folder that belongs to whoever runs PostgreSQL. */
function ownFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const as = unprivileged();
  if (as) chownSync(folder, as.uid, as.gid);
  return folder;
}

function programs(): string {
  const folder = postgresPrograms();
  if (folder === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  return folder;
}

/** Runs a program of PostgreSQL, or of the system. */
function run(program: string, args: readonly string[], cwd: string): void {
  const own = join(programs(), program);
  execFileSync(existsSync(own) ? own : program, args, { stdio: 'pipe', cwd, ...unprivileged() });
}

/** A process that was killed keeps its memory until the system has taken it away. */
async function gone(pid: number): Promise<void> {
  while (pid !== 0 && isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Not if it has ended, and only nobody has asked how. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function killNow(pid: number): void {
  try {
    if (pid !== 0) process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}

/** PostgreSQL does not run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
