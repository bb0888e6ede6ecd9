import type { Client, Mirror } from '@moorage/client';
import { type ChatState, ExtensionMeta, type StringOrMarkdown } from '@moorage/protocol';

/** What goes when an earlier message is sent again: the turns since, what they did to files, or both. */
export type TakeBack = 'conversation' | 'files' | 'both';

/** Whether the host knows what the turns of a chat did to files. */
export function knowsFiles(chat: ChatState): boolean {
  return changesOf(chat) !== undefined;
}

/** Takes back what a turn and the later ones of its chat did to files, and gives what the host says about it. */
export async function takeFilesBack(
  client: Client,
  chat: Mirror<'chat'>,
  turnId: string,
): Promise<StringOrMarkdown | undefined> {
  const channel = changesOf(chat.optimistic);
  if (channel === undefined) throw new Error('The host does not know what this chat changed');
  // Of a changeset that somebody follows, the host knows the files for sure.
  const changeset = await client.changeset(channel);
  try {
    const params = { channel, operationId: 'revert-since', _meta: { [ExtensionMeta.turn]: turnId } };
    return (await client.request('invokeChangesetOperation', params)).message;
  } finally {
    changeset.release();
  }
}

function changesOf({ changesets }: ChatState): string | undefined {
  return changesets?.find(({ changeKind }) => changeKind === 'chat')?.uriTemplate;
}
