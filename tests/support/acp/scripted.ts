import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AcpAgentOptions } from '@ahpd/agents/acp';

const SCRIPT = fileURLToPath(new URL('../../../packages/agents/test/acp/scripted-agent.mjs', import.meta.url));

/** The project's own ACP agent, as one would configure it. */
export function scripted(options: Partial<AcpAgentOptions> = {}): AcpAgentOptions {
  return { id: 'scripted', displayName: 'Scripted', command: process.execPath, args: [SCRIPT], ...options };
}

/** Ids of the processes whose command line or environment holds a text. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    const holds = ['cmdline', 'environ'].some((file) => readProc(join('/proc', name, file)).includes(text));
    return holds && isRunning(name) ? [Number(name)] : [];
  });
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
