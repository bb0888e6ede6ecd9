import { randomUUID } from 'node:crypto';
import type { Client } from '@moorage/client';
import { type CreateSessionParams, sessionUri } from '@moorage/protocol';
import { CommandError } from '../errors.js';
import { withProgress } from '../output/progress.js';
import { type Settings, sessionConfig } from './settings.js';
import { when } from './when.js';

export interface NewSession extends Settings {
  readonly folder: string;
  /** Further folders, which not every agent takes. */
  readonly addFolder?: readonly string[];
  readonly agent?: string;
  readonly model?: string;
}

/** Creates a session and returns its URI once it is ready. */
export async function createSession(client: Client, options: NewSession): Promise<string> {
  const { folder, addFolder = [], agent, model } = options;
  const { agents } = (await client.root()).confirmed;
  if (agent !== undefined && !agents.some(({ provider }) => provider === agent)) {
    const known = agents.map(({ provider }) => provider).join(', ');
    throw new CommandError(`the host has no agent "${agent}"; it has: ${known || 'none'}`);
  }
  const info = agent === undefined ? agents[0] : agents.find(({ provider }) => provider === agent);
  if (addFolder.length > 0 && !info?.capabilities?.multipleWorkingDirectories) {
    throw new CommandError(`the agent "${info?.provider ?? ''}" works in one folder: run it without --add-folder`);
  }
  const models = agents.find(({ provider }) => provider === agent)?.models ?? [];
  if (model !== undefined && models.length > 0 && !models.some(({ id }) => id === model)) {
    const known = models.map(({ id }) => id).join(', ');
    throw new CommandError(`the agent "${agent}" has no model "${model}"; it has: ${known}`);
  }
  const provider = agent === undefined ? {} : { provider: agent };
  const config = await sessionConfig(client, { workingDirectory: folder, ...provider }, options);
  const params: CreateSessionParams = {
    channel: sessionUri.format(randomUUID()),
    workingDirectories: [folder, ...addFolder],
    ...provider,
    ...(config && { config }),
  };
  await withProgress('creating the session', client.request('createSession', params));
  await withProgress('waiting for the session', untilReady(client, params.channel));
  return params.channel;
}

/** Making a work tree takes time and may fail; then the session is removed again, as it was never usable. */
async function untilReady(client: Client, channel: string): Promise<void> {
  const session = await client.session(channel);
  const { lifecycle, creationError } = await when(session, (state) =>
    state.lifecycle === 'creating' ? undefined : state,
  );
  if (lifecycle !== 'failed') return;
  await client.request('disposeSession', { channel });
  throw new CommandError(`the session could not be created: ${creationError?.message ?? 'no reason given'}`);
}
