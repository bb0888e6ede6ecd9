import type { McpLaunch } from '../../ports/mcp.js';
import { type ProcessEnd, ProcessGroup } from '../../processes/process-group.js';

/** Starts a server. Standard error may hold anything, and nobody reads it. */
export function startServer(
  { command, args = [], cwd }: Extract<McpLaunch, { kind: 'stdio' }>,
  folder: string | undefined,
  env: Readonly<Record<string, string>>,
): ProcessGroup {
  return new ProcessGroup({ command, args, cwd: cwd ?? folder, env, readsErrors: false });
}

/** How a server ended, in words that name nothing of its command. */
export function wordsFor(end: ProcessEnd): string {
  if (end.kind === 'notStarted')
    return end.cause.code === 'ENOENT' ? 'its program was not found' : 'it could not be run';
  return end.signal ? `it was ended by ${end.signal}` : `it ended with exit code ${end.code}`;
}
