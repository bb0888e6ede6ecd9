import { isObject, PROTOCOL_VERSION } from '@moorage/protocol';
import type { Command } from 'commander';
import { VERSION } from '../../version.js';
import { type CommonOptions, command } from '../command.js';
import { gitVersion } from '../host/git-version.js';
import { withHost } from '../host/open.js';
import { printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';

export default function versionsCommand(): Command {
  return command('versions', 'Print the versions in use.', ['moorage versions', 'moorage versions --json']).action(
    async (options: CommonOptions) => {
      const host = await withHost(options, async (client) => ({
        protocol: client.protocolVersion,
        build: buildIn((await client.root()).confirmed._meta),
      })).catch((error: Error) => ({ error: error.message.split('\n', 1)[0] ?? '' }));
      const versions = {
        moorage: VERSION,
        protocol: PROTOCOL_VERSION,
        node: process.versions.node,
        git: gitVersion() ?? null,
        host,
      };
      if (options.json) return printLine(jsonLine(versions));
      printLine(`moorage   ${VERSION}`);
      printLine(`protocol  ${PROTOCOL_VERSION}`);
      printLine(`node      ${versions.node}`);
      printLine(`git       ${versions.git ?? 'not installed'}`);
      if ('error' in host) printLine(`host      ${plainLine(host.error)}`);
      else printLine(`host      ${plainLine(buildName(host.build))}, speaking ${plainLine(host.protocol)}`);
    },
  );
}

/** Where hosts say what they are: ours, and VS Code's own. */
function buildIn(meta: Readonly<Record<string, unknown>> = {}): unknown {
  return meta['moorage.build'] ?? meta.hostBuild;
}

/** `moorage 0.1.0`. Other hosts may say something else here, or nothing. */
function buildName(build: unknown): string {
  if (!isObject(build) || typeof build.name !== 'string') return 'unknown';
  return `${build.name} ${typeof build.version === 'string' ? build.version : ''}`;
}
