import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SessionState } from '@moorage/protocol';
import { type HostProcess, startHostProcess } from './host-process.js';
import { removeFolder } from './remove-folder.js';
import { commitAll } from './repository.js';
import { WireClient } from './wire-client.js';

/** A folder for one test, with a repository in it to work on; what is mounted in it goes with it. */
export class FaultBench {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-fault-')));
  readonly workspace = join(this.folder, 'work');
  readonly data = join(this.folder, 'data');
  readonly #mounted: string[] = [];
  host: HostProcess | undefined;

  constructor() {
    for (const path of [this.workspace, this.data]) mkdirSync(path);
    writeFileSync(join(this.workspace, 'README.md'), '# Work\n');
    commitAll(this.workspace);
  }

  /** A disk of that size in place of a folder. */
  mount(folder: string, options: string): void {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
    this.#mounted.push(folder);
  }

  /** A disk with a file system as real ones have it, in place of a folder; gives its image. */
  mountDisk(folder: string, megabytes: number): string {
    const image = `${folder}.img`;
    writeFileSync(image, '');
    truncateSync(image, megabytes * 1024 * 1024);
    execFileSync('mkfs.ext4', ['-q', '-F', image]);
    execFileSync('mount', ['-o', 'loop', image, folder]);
    this.#mounted.push(folder);
    return image;
  }

  /** Takes a disk away and puts it back, as an operator does who has mended it. */
  replug(folder: string, image: string): void {
    execFileSync('umount', [folder]);
    execFileSync('mount', ['-o', 'loop', image, folder]);
  }

  remount(folder: string, options: string): void {
    execFileSync('mount', ['-o', `remount,${options}`, folder]);
  }

  async start(env: NodeJS.ProcessEnv = {}, args: readonly string[] = []): Promise<WireClient> {
    this.host = await startHostProcess(['--data-dir', this.data, '--root', this.workspace, ...args], env);
    return this.client();
  }

  client(clientId?: string): Promise<WireClient> {
    const { url = '', token = '' } = this.host ?? {};
    return WireClient.connect({ url, token, ...(clientId !== undefined && { clientId }) });
  }

  async session(client: WireClient, params: object = {}): Promise<{ session: string; chat: string }> {
    const session = `ahp-session:/${crypto.randomUUID()}`;
    const workingDirectory = pathToFileURL(this.workspace).href;
    await client.request('createSession', {
      channel: session,
      provider: 'demo',
      workingDirectories: [workingDirectory],
      ...params,
    });
    const { lifecycle, defaultChat = '' } = await client.subscribe<SessionState>(session);
    if (lifecycle === 'creating') await client.action(session, 'session/ready');
    await client.subscribe(defaultChat);
    return { session, chat: defaultChat };
  }

  /** Ends everything, and fails when the host broke. */
  async dispose(): Promise<void> {
    const code = await this.host?.stop();
    const said = this.host?.stderr() ?? '';
    for (const folder of this.#mounted.reverse()) spawnSync('umount', ['-l', folder]);
    await removeFolder(this.folder);
    if (/unhandled|uncaught|ERR_UNHANDLED|node:internal/i.test(said)) throw new Error(`the host broke:\n${said}`);
    if (this.host && code !== 0) throw new Error(`the host ended with ${code}:\n${said}`);
  }
}

/** Whether this machine lets us mount; says so loudly where it does not. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-mount-'));
  const ok = process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0;
  if (ok) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
  if (!ok)
    process.stderr.write('\n*** SKIPPED: full and read-only disks are not tested: this user may not mount. ***\n\n');
  return ok;
}
