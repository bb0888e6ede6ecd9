import { statSync } from 'node:fs';
import { isInside } from '../../paths/inside.js';

/** What a program sees at a real path. */
export interface Mount {
  readonly path: string;
  readonly as: 'hidden' | 'readable' | 'writable';
}

/** Bytes of each scratch folder that stands in for a hidden one: it is in memory. */
const MAX_SCRATCH_BYTES = 1024 * 1024 * 1024;

/**
 * The options of bubblewrap that show these mounts on top of a machine that can only be read. The deepest path decides, and
 * of two mounts of the same path the later one. Hidden folders are empty, and writable until the program ends.
 */
export function mountOptions(mounts: readonly Mount[]): string[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount] as const));
  const inOrder = [...byPath.values()].sort((one, other) => depth(one.path) - depth(other.path));
  return ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...inOrder.flatMap(optionsOf)];
}

/** Whether making a path visible would also show something that is to be hidden. */
export function revealed(path: string, hidden: readonly string[]): string | undefined {
  return hidden.find((secret) => isInside(secret, path));
}

function optionsOf({ path, as }: Mount): string[] {
  if (as === 'writable') return ['--bind', path, path];
  if (as === 'readable') return ['--ro-bind', path, path];
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? ['--size', String(MAX_SCRATCH_BYTES), '--tmpfs', path] : ['--ro-bind', '/dev/null', path];
}

function depth(path: string): number {
  return path.split('/').filter(Boolean).length;
}
