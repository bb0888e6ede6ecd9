import { isDeepStrictEqual } from 'node:util';
import { type AnnotationEntry, ExtensionMeta, type Message, type StateAction } from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import { findCall } from '../turns/event-mapper.js';

/** A person's action with the person's name, where others see it. Whatever name the client put there does not count. */
export function signed(channel: Channel, action: StateAction, name: string, clientId: string): StateAction {
  switch (action.type) {
    case 'chat/turnStarted':
    case 'chat/pendingMessageSet':
      return { ...action, message: withName(action.message, name) };
    case 'chat/toolCallConfirmed':
    case 'chat/toolCallResultConfirmed': {
      if (!isKind(channel, 'chat')) return action;
      // What an action says of a call replaces what was said before.
      const before = findCall(channel.state.activeTurn?.responseParts ?? [], action.toolCallId)?._meta;
      return { ...action, _meta: { ...before, ...action._meta, [ExtensionMeta.decidedBy]: name } };
    }
    case 'chat/inputCompleted':
      return { ...action, _meta: { ...action._meta, [ExtensionMeta.decidedBy]: name } };
    case 'annotations/set':
      return {
        ...action,
        annotation: {
          ...action.annotation,
          entries: action.annotation.entries.map((entry) => withAuthor(channel, entry, { name, clientId })),
        },
      };
    case 'annotations/entrySet':
      return { ...action, entry: withAuthor(channel, action.entry, { name, clientId }) };
    case 'session/activeClientSet':
      return { ...action, activeClient: { ...action.activeClient, displayName: name } };
    default:
      return action;
  }
}

function withName(message: Message, name: string): Message {
  return { ...message, _meta: { ...message._meta, [ExtensionMeta.person]: name } };
}

/** Comments of others that are sent along as they were keep their authors. */
function withAuthor(channel: Channel, entry: AnnotationEntry, author: { name: string; clientId: string }) {
  const known = isKind(channel, 'annotations')
    ? channel.state.annotations.flatMap(({ entries }) => entries).find(({ id }) => id === entry.id)
    : undefined;
  if (known && isDeepStrictEqual(known, entry)) return entry;
  return { ...entry, _meta: { ...entry._meta, [ExtensionMeta.author]: author } };
}
