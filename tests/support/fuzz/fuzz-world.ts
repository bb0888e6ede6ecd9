import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type HostProcess, startHostProcess } from '../host-process.js';
import { commitAll } from '../repository.js';
import type { Places } from './names.js';

/** A real host with a folder that it may use, and one beside it that nobody may touch. */
export class FuzzWorld {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-fuzz-')));
  readonly root = join(this.folder, 'root');
  readonly socketPath = join(this.folder, 'host.sock');
  readonly places: Places;
  readonly #outside = join(this.folder, 'outside');
  readonly #canary: string;
  host!: HostProcess;

  static async start(): Promise<FuzzWorld> {
    const world = new FuzzWorld();
    const data = join(world.folder, 'data');
    world.host = await startHostProcess(['--data-dir', data, '--root', world.root, '--socket', world.socketPath]);
    return world;
  }

  constructor() {
    for (const path of [this.root, this.#outside]) mkdirSync(path);
    writeFileSync(join(this.#outside, 'secret.txt'), 'nobody reads this\n');
    mkdirSync(join(this.#outside, 'deep'));
    writeFileSync(join(this.#outside, 'deep', 'file.txt'), 'nor this\n');
    this.places = { root: pathToFileURL(this.root).href, outside: pathToFileURL(this.#outside).href };
    this.furnish();
    commitAll(this.root);
    this.#canary = this.#untouchable();
  }

  /** Puts back what messages before may have taken away. */
  furnish(): void {
    for (const name of readdirSync(this.root)) {
      if (name !== '.git') rmSync(join(this.root, name), { recursive: true, force: true });
    }
    mkdirSync(join(this.root, 'src'));
    writeFileSync(join(this.root, 'README.md'), '# Fuzz\n');
    for (const name of ['a.ts', 'b.ts']) writeFileSync(join(this.root, 'src', name), `export const ${name[0]} = 1;\n`);
    symlinkSync(this.#outside, join(this.root, 'link-out'));
  }

  /** What lies in the root, to see whether it changes. */
  tree(): string {
    return listing(this.root, (name) => name === '.git');
  }

  /** What was touched although nobody may; undefined when nothing was. */
  touched(): string | undefined {
    const now = this.#untouchable();
    return now === this.#canary ? undefined : `before:\n${this.#canary}\nnow:\n${now}`;
  }

  /** Lines of the host's log that tell of a fault of its own. */
  faults(): string[] {
    return this.host
      .stderr()
      .split('\n')
      .filter((line) => /"level":"error"|^\s+at |[Uu]nhandled|Error:/.test(line));
  }

  /** Resident memory of the host in MB. */
  memory(): number {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.host.pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  }

  async end(): Promise<number | null> {
    const code = await this.host.stop();
    rmSync(this.folder, { recursive: true, force: true });
    return code;
  }

  #untouchable(): string {
    const beside = readdirSync(this.folder).filter((name) => !['data', 'host.sock'].includes(name));
    return `${beside.sort().join(' ')}\n${listing(this.#outside)}`;
  }
}

/** Names, kinds, times and contents of all that is below a folder. */
function listing(folder: string, skips: (name: string) => boolean = () => false): string {
  const lines: string[] = [];
  const walk = (path: string) => {
    for (const name of readdirSync(path).sort()) {
      if (skips(name)) continue;
      const full = join(path, name);
      const stats = lstatSync(full);
      if (stats.isSymbolicLink()) lines.push(`${full} -> ${readlinkSync(full)}`);
      else if (stats.isFile()) lines.push(`${full} ${stats.mtimeMs} ${readFileSync(full, 'latin1')}`);
      else lines.push(full);
      if (stats.isDirectory()) walk(full);
    }
  };
  walk(folder);
  return lines.join('\n');
}
