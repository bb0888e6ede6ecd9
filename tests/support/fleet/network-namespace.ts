import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

/** A network of its own for a process, with one cable to this machine. */
export interface NetworkNamespace {
  /** This machine's end of the cable. */
  readonly address: string;
  /** What runs a program inside. */
  readonly program: readonly string[];
  unplug(): void;
  plugIn(): void;
  end(): void;
}

/** Why there can be none; undefined if there can. It takes iproute2, and the rights of root. */
export function noNamespaces(): string | undefined {
  const name = `moorage-${randomInt(1_000_000)}`;
  const made = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' });
  if (made.status !== 0) return made.error ? 'iproute2 is not installed' : made.stderr.trim();
  const cable = spawnSync('ip', ['-n', name, 'link', 'set', 'lo', 'up'], { encoding: 'utf8' });
  spawnSync('ip', ['netns', 'del', name]);
  return cable.status === 0 ? undefined : cable.stderr.trim();
}

export function createNamespace(): NetworkNamespace {
  const number = randomInt(1_000_000);
  const [name, near, far] = [`moorage-${number}`, `mo${number}n`, `mo${number}f`];
  // A network of two addresses in the range that is meant for tests of devices.
  const base = `198.18.${randomInt(256)}.${4 * randomInt(64)}`;
  const [address, inside] = [1, 2].map((host) => base.replace(/\d+$/, (last) => String(Number(last) + host)));
  const ip = (...args: string[]) => void execFileSync('ip', args, { stdio: 'pipe' });
  ip('netns', 'add', name);
  try {
    ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name);
    ip('addr', 'add', `${address}/30`, 'dev', near);
    ip('link', 'set', near, 'up');
    ip('-n', name, 'addr', 'add', `${inside}/30`, 'dev', far);
    ip('-n', name, 'link', 'set', far, 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
  } catch (error) {
    ip('netns', 'del', name);
    throw error;
  }
  return {
    address: address ?? '',
    program: ['ip', 'netns', 'exec', name],
    unplug: () => ip('-n', name, 'link', 'set', far, 'down'),
    plugIn: () => ip('-n', name, 'link', 'set', far, 'up'),
    end: () => ip('netns', 'del', name), // and the cable with it
  };
}
