import { readdirSync, readFileSync } from 'node:fs';

/** What the system says of a process: memory, what it holds open, threads, children. Linux only. */
export function processFigures(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const number = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]);
  return {
    memory: number('VmRSS') * 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: number('Threads'),
    children: childrenOf(pid),
  };
}

function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).length;
}
