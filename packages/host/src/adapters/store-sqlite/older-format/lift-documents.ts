import { changesetUri, isObject, type JsonObject, parseChangesetUri } from '@moorage/protocol';
import { liftAction } from '@moorage/protocol/versions';

export interface LiftedDocument {
  readonly key: string;
  readonly value: unknown;
}

export type LiftDocument = (old: LiftedDocument) => LiftedDocument;

/** How documents become those of today, by collection. They return what makes no sense to them as it is. */
export const liftDocuments: { readonly [collection: string]: LiftDocument } = {
  removedChats: ({ key, value }) => {
    if (!isObject(value) || !Array.isArray(value.chats)) return { key, value };
    return {
      key,
      value: { ...value, chats: value.chats.map((chat) => (isObject(chat) ? liftEntry(key, chat) : chat)) },
    };
  },
  /** There was one decision on each customization, which counted for the session. */
  customizations: ({ key, value }) => {
    if (!Array.isArray(value)) return { key, value };
    const lifted = value.map((choice) => {
      const [id, enabled] = Array.isArray(choice) ? choice : [];
      return typeof enabled === 'boolean' ? [id, [{ kind: 'session', enabled }]] : choice;
    });
    return { key, value: lifted };
  },
  /** What is known of operations on a changeset is kept under its URI. */
  changes: ({ key, value }) => {
    const [, subject, uri = ''] = /^(operations|reviewed) (.+)$/.exec(key) ?? [];
    if (subject !== undefined) return { key: `${subject} ${todaysUri(uri)}`, value };
    if (!isObject(value) || typeof value.channel !== 'string') return { key, value };
    return { key, value: { ...value, channel: todaysUri(value.channel) } };
  },
};

/** The entry of a chat in the list of its session. */
function liftEntry(session: string, summary: JsonObject): unknown {
  const directory = { now: () => 0, session: () => undefined, chat: () => undefined, sessionOfChat: () => undefined };
  const [added] = liftAction({ type: 'session/chatAdded', summary }, { channel: session, directory });
  return added?.action.type === 'session/chatAdded' ? added.action.summary : summary;
}

function todaysUri(changeset: string): string {
  const parsed = parseChangesetUri(changeset);
  return parsed ? changesetUri(parsed.session, parsed.selector) : changeset;
}
