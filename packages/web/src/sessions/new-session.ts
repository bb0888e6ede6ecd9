import { type Client, RpcError, randomId } from '@moorage/client';
import {
  AhpErrorCodes,
  type AuthRequiredErrorData,
  type ModelSelection,
  type ProtectedResourceMetadata,
  primaryDirectory,
  type SessionSummary,
  sessionUri,
} from '@moorage/protocol';
import { chooseModel } from '../chat/draft-sharing.js';
import { type Draft, restoreDraft } from '../chat/drafts.js';
import { sendDraft } from '../chat/send.js';
import { pathOf } from '../ui/format.js';
import { modifiedAt } from './order.js';
import { taskBranch } from './task-branch.js';
import { type ConfigContext, resolveConfig, suggestIn } from './use-session-config.js';

/** Creates a session for a task, and returns its URI. If it gets a branch of its own, that is named after the task. */
export async function createSession(client: Client, context: ConfigContext, task: string): Promise<string> {
  // Resolves the settings once more, because those shown may be for earlier choices.
  const values = (await resolveConfig(client, context))?.values ?? context.config;
  const name = values.isolation === 'worktree' && !values.branchName ? taskBranch(task) : undefined;
  const config = { ...values, ...(name !== undefined && { branchName: await freeBranch(client, context, name) }) };
  const channel = sessionUri.format(randomId());
  const { provider, workingDirectory } = context;
  await client.request('createSession', {
    channel,
    ...(provider && { provider }),
    ...(workingDirectory && { workingDirectories: [workingDirectory] }),
    ...(Object.keys(config).length > 0 && { config }),
  });
  return channel;
}

/** The name, with a number after it if there is such a branch. If the host does not say, it chooses a name itself. */
async function freeBranch(client: Client, context: ConfigContext, name: string): Promise<string | undefined> {
  const items = await suggestIn(client, context)('baseBranch')(name).catch(() => undefined);
  if (!items) return undefined;
  const taken = new Set(items.map(({ value }) => value));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
  return free;
}

/**
 * Chooses the model of a new session and sends its first message. If that fails, the message is
 * back in a text field.
 */
export async function sendFirst(
  client: Client,
  channel: string,
  { draft, model, writtenAt }: { draft: Draft; model: ModelSelection | undefined; writtenAt: string },
): Promise<void> {
  const putBack = (where: string) => (error: unknown) => {
    restoreDraft(where, draft);
    throw error;
  };
  const chat = await defaultChat(client, channel).catch(putBack(writtenAt));
  const mirror = await client.chat(chat).catch(putBack(chat));
  try {
    if (model) await chooseModel(mirror, { id: model.id });
    await sendDraft(mirror, 'queued', draft);
  } finally {
    mirror.release();
  }
}

async function defaultChat(client: Client, channel: string): Promise<string> {
  const session = await client.session(channel);
  const chat = session.confirmed.defaultChat;
  session.release();
  if (chat === undefined) throw new Error('The session has no chat to write to');
  return chat;
}

/** The resources for which the agent needs a token before it can start. */
export function neededTokens(error: unknown): readonly ProtectedResourceMetadata[] {
  if (!(error instanceof RpcError) || error.code !== AhpErrorCodes.AuthRequired) return [];
  return (error.data as AuthRequiredErrorData | undefined)?.resources ?? [];
}

/** The host's default folder first, then those of earlier sessions, newest first. Work trees are not worth offering. */
export function recentFolders(ownFolder: string | undefined, sessions: readonly SessionSummary[]): string[] {
  const used = [...sessions]
    .sort((a, b) => modifiedAt(b) - modifiedAt(a))
    .map((session) => session.project?.uri ?? primaryDirectory(session));
  const uris = [ownFolder, ...used].filter((uri) => uri !== undefined && uri !== null);
  return [...new Set(uris.map(pathOf))];
}
