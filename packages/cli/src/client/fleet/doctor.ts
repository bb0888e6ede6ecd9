import type { FleetHost } from '@moorage/client';
import { VERSION } from '../../version.js';
import type { CommonOptions } from '../command.js';
import { ExitCode } from '../errors.js';
import { withHost } from '../host/open.js';
import { printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { ago } from '../sessions/status.js';
import { hostsOf } from './hosts.js';

interface Problem {
  readonly host: string;
  readonly problem: string;
}

/** Names what is wrong in the fleet. */
export async function fleetDoctor(options: CommonOptions): Promise<void> {
  const hosts = (await withHost(options, hostsOf)).filter(({ state }) => state !== 'revoked');
  const problems = hosts.flatMap(problemsOf);
  if (problems.length > 0) process.exitCode = ExitCode.Failed;
  if (options.json) return printLine(jsonLine({ hosts: hosts.length, problems }));
  printLine(`${hosts.filter(({ state }) => state === 'here').length} of ${hosts.length} hosts are there`);
  for (const { host, problem } of problems) printLine(`${plainLine(host)}: ${plainLine(problem)}`);
}

/** Commits: as many as a busy host may have under way. */
const USUALLY_UNSHIPPED = 100;

export function problemsOf({ name, id, state, seenAt, version, unshipped = 0 }: FleetHost): Problem[] {
  const host = `${name} (${id})`;
  if (state === 'away') {
    const since = seenAt === undefined ? 'has never been there' : `is away; last seen ${ago(seenAt, Date.now())}`;
    return [{ host, problem: `${since}. Start it, or end its membership: moorage fleet revoke ${id}` }];
  }
  const problems: Problem[] = [];
  if (version !== VERSION)
    problems.push({ host, problem: `runs version ${version ?? 'unknown'}, and this is ${VERSION}` });
  if (unshipped > USUALLY_UNSHIPPED)
    problems.push({
      host,
      problem: `is behind: ${unshipped} commits are not stored by the fleet yet. If it does not become fewer, look at the log of the host and of the gateways`,
    });
  return problems;
}
