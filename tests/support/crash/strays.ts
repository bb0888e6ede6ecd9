import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { descendantsOf } from '../process-tree.js';

/**
 * Processes that have to do with a folder (they are in it, or name it), whoever their parent is now: what a dead process
 * leaves behind belongs to nobody. Those of `host` and of the test itself are not meant.
 */
export function straysOf(folder: string, host: number): string[] {
  const ours = new Set([process.pid, host, ...descendantsOf(host).map(({ pid }) => pid)]);
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || ours.has(pid)) return [];
    const command = textOf(pid, 'cmdline');
    const isAbout = [cwdOf(pid), command, textOf(pid, 'environ')].some((text) => text.includes(folder));
    return isAbout && command !== '' ? [`${pid}: ${command}`] : [];
  });
}

function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return ''; // it ended while we looked
  }
}

function cwdOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
