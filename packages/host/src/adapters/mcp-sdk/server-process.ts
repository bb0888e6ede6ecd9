import type { McpLaunch } from '../../ports/mcp.js';
import { type ProcessEnd, ProcessGroup } from '../../processes/process-group.js';

/** Starts a server. Its standard error is discarded: it may contain anything, including secrets. */
export function startServer(
  { command, args = [], cwd }: Extract<McpLaunch, { kind: 'stdio' }>,
  folder: string | undefined,
  env: Readonly<Record<string, string>>,
): ProcessGroup {
  return new ProcessGroup({ command, args, cwd: cwd ?? folder, env, readsErrors: false });
}

/** How a server ended, without revealing its command. */
export function describeEnd(end: ProcessEnd): string {
  if (end.kind === 'notStarted')
    return end.cause.code === 'ENOENT' ? 'its program was not found' : 'it could not be run';
  return end.signal ? `it was ended by ${end.signal}` : `it ended with exit code ${end.code}`;
}
