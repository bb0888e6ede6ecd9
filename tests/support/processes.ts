import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { PATIENT } from './actions.js';

/** Whether there is such a process now. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Ids of the processes whose command line or environment holds a text. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    const holds = ['cmdline', 'environ'].some((file) => readProc(join('/proc', name, file)).includes(text));
    return holds && isRunning(name) ? [Number(name)] : [];
  });
}

/** A text for the environment of every process of a test; when it is over, none with it may be left. */
export function useMark(): { readonly text: string } {
  const mark = { text: '' };
  beforeEach(() => {
    mark.text = `mark-${crypto.randomUUID()}`;
  });
  afterEach(() => expect.poll(() => processesWith(mark.text), PATIENT).toEqual([]));
  return mark;
}

/** One that has ended and that nobody has asked for is none. */
function isRunning(pid: string): boolean {
  return !/^State:\s+Z/m.test(readProc(`/proc/${pid}/status`));
}

function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
