import { randomUUID } from 'node:crypto';
import type { Client } from '@ahpd/client';
import type { CreateSessionParams } from '@ahpd/protocol';
import { CommandError } from '../errors.js';
import { withProgress } from '../output/progress.js';

export interface NewSession {
  readonly folder: string;
  readonly agent?: string;
  readonly model?: string;
  readonly worktree?: boolean;
}

/** Creates a session and gives its URI. */
export async function createSession(client: Client, { folder, agent, model, worktree }: NewSession): Promise<string> {
  const { agents } = (await client.root()).confirmed;
  if (agent !== undefined && !agents.some(({ provider }) => provider === agent)) {
    const known = agents.map(({ provider }) => provider).join(', ');
    throw new CommandError(`the host has no agent "${agent}"; it has: ${known || 'none'}`);
  }
  const config = worktree ? await worktreeConfig(client, folder, agent) : undefined;
  const params: CreateSessionParams = {
    channel: `ahp-session:/${randomUUID()}`,
    workingDirectory: folder,
    ...(agent !== undefined && { provider: agent }),
    ...(model !== undefined && { model: { id: model } }),
    ...(config && { config }),
  };
  await withProgress('creating the session', client.request('createSession', params));
  return params.channel;
}

/** The values that a host which can isolate a session in a work tree of its own wants; others say so themselves. */
async function worktreeConfig(client: Client, folder: string, agent: string | undefined) {
  const request = { workingDirectory: folder, ...(agent !== undefined && { provider: agent }) };
  const offer = await client.request('resolveSessionConfig', request).catch(() => undefined);
  const isolation = offer?.schema.properties.isolation;
  if (isolation?.enum?.includes('worktree')) return { isolation: 'worktree' };
  throw new CommandError('this host does not offer work trees for sessions; run it without --worktree');
}
