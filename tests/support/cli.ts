import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, connect } from '@moorage/client';
import { moorageInProcess } from './cli-in-process.js';
import { type HostProcess, startHostProcess } from './host-process.js';
import { isAlive } from './processes.js';
import { Pty } from './pty.js';
import { removeFolder } from './remove-folder.js';
import { gitOutput } from './repository.js';

export const MOORAGE_BIN = fileURLToPath(new URL('../../packages/cli/bin/moorage.js', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Commands that run a host, or start programs as the process that they run in would. */
const STARTERS = new Set(['serve', 'gateway', 'backup', 'recover', 'host', 'service']);

interface RunOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Called with all that it has written to standard error, whenever that grows. */
  readonly onError?: (text: string) => void;
}

/** A person's machine: folders of their own, a git repository to work in, and the real command line. */
export class CliWorld {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-world-')));
  readonly work = join(this.folder, 'work');
  readonly dataDir = join(this.folder, 'data', 'moorage');
  readonly #ptys: Pty[] = [];
  readonly #clients: Client[] = [];
  host: HostProcess | undefined;

  constructor() {
    mkdirSync(this.work);
    mkdirSync(join(this.folder, 'bin'));
    const shim = `#!/bin/sh\nexec "${process.execPath}" "${MOORAGE_BIN}" "$@"\n`;
    writeFileSync(join(this.folder, 'bin', 'moorage'), shim, { mode: 0o755 });
    this.git('init', '--quiet', '--initial-branch=main');
    writeFileSync(join(this.work, 'README.md'), 'one\ntwo\nthree\n');
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'Start');
  }

  get env(): NodeJS.ProcessEnv {
    const { MOORAGE_HOST: _host, MOORAGE_TOKEN: _token, NO_COLOR: _colour, ...env } = process.env;
    return {
      ...env,
      PATH: `${join(this.folder, 'bin')}:${env.PATH}`,
      XDG_DATA_HOME: join(this.folder, 'data'),
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      PAGER: 'cat',
      TERM: 'xterm-256color',
    };
  }

  /** Starts a host where `moorage` looks for one. */
  async serve(...args: string[]): Promise<HostProcess> {
    this.host = await startHostProcess(['--data-dir', this.dataDir, '--root', this.work, ...args]);
    return this.host;
  }

  /**
   * Runs `moorage` as a script does: without a terminal and input. While there is a host, a command of its client runs in this
   * process.
   */
  moorage(...args: string[]): Promise<Ran> {
    const starts = STARTERS.has(args.find((word) => !word.startsWith('-')) ?? '') || args.includes('--start');
    return this.host && !starts ? moorageInProcess(args, this.env, this.work) : this.moorageWith({}, ...args);
  }

  /** The same in a process of its own, which can have an input. */
  moorageWith(more: RunOptions, ...args: string[]): Promise<Ran> {
    const { input, env, cwd = this.work, onError } = more;
    const stdio = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] as const;
    const child = spawn(process.execPath, [MOORAGE_BIN, ...args], {
      cwd,
      env: { ...this.env, ...env },
      stdio: [...stdio],
    });
    const chunks: { out: Buffer[]; err: Buffer[] } = { out: [], err: [] };
    child.stdout?.on('data', (chunk) => chunks.out.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.err.push(chunk));
    if (onError) child.stderr?.on('data', () => onError(Buffer.concat(chunks.err).toString()));
    child.stdin?.on('error', () => {}); // it need not read what it is given
    child.stdin?.end(input);
    const text = (parts: Buffer[]) => Buffer.concat(parts).toString();
    return new Promise((resolve) => {
      child.once('close', (code) => resolve({ code, out: text(chunks.out), err: text(chunks.err) }));
    });
  }

  /** Runs `moorage` as a person does: in a terminal. */
  terminal(...args: string[]): Pty {
    const pty = new Pty(process.execPath, [MOORAGE_BIN, ...args], { cwd: this.work, env: this.env });
    this.#ptys.push(pty);
    return pty;
  }

  /** A second client of the same host. */
  async client(): Promise<Client> {
    const { url, token } = this.host ?? {};
    const client = await connect({ url: url ?? '', token });
    this.#clients.push(client);
    return client;
  }

  /** A session with one finished turn; gives its id. */
  async session(prompt: string): Promise<string> {
    const { out, err } = await this.moorage('run', '--yes', '--json', prompt);
    const result = out
      .split('\n')
      .filter((line) => line.startsWith('{"result"'))
      .map((line) => JSON.parse(line).result)[0];
    if (!result) throw new Error(`no result: ${out}${err}`);
    return String(result.session).slice('ahp-session:/'.length);
  }

  /** Waits until the state of a session's chat, as another client sees it, has this text in it. */
  async chatHas(id: string, text: string): Promise<void> {
    const client = await this.client();
    const session = await client.session(`ahp-session:/${id}`);
    const chat = await client.chat(session.confirmed.defaultChat ?? '');
    await new Promise<void>((resolve) => {
      const look = () => {
        if (JSON.stringify(chat.confirmed).includes(text)) resolve();
      };
      chat.subscribe(look);
      look();
    });
  }

  git(...args: string[]): string {
    return gitOutput(this.work, ...args);
  }

  #hasHostInBackground(): boolean {
    const file = join(this.dataDir, 'host.json');
    return existsSync(file) && isAlive(JSON.parse(readFileSync(file, 'utf8')).pid);
  }

  async end(): Promise<void> {
    for (const pty of this.#ptys) pty.kill();
    for (const client of this.#clients) client.close();
    await this.host?.kill();
    if (this.#hasHostInBackground()) await this.moorage('host', 'stop');
    await removeFolder(this.folder);
  }
}
