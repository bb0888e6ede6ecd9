import { withDirectory, withoutDirectory } from './chat.js';
import { reduceCustomizations } from './customizations.js';
import type { Rules } from './rules.js';
import {
  changeFirst,
  IN_PROGRESS,
  INPUT_NEEDED,
  IS_ARCHIVED,
  IS_READ,
  list,
  nonEmpty,
  object,
  removeFirst,
  upsert,
  type Wire,
  withActivity,
  withFlag,
} from './wire.js';

/** The reducer of sessions of one version. */
export function reduceSession(rules: Rules, session: Wire, action: Wire, now: number): Wire {
  const withMembers = (changes: Wire) =>
    rules.isFlat ? { ...session, ...changes } : { ...session, summary: { ...object(session.summary), ...changes } };
  const timed = (changes: Wire) => withMembers(rules.isFlat ? changes : { ...changes, modifiedAt: now });
  const { status } = rules.isFlat ? session : object(session.summary);
  switch (action.type) {
    case 'session/ready':
      return { ...session, lifecycle: 'ready' };
    case 'session/creationFailed':
      return { ...session, lifecycle: rules.hasErrorParts ? 'failed' : 'creationFailed', creationError: action.error };
    case 'session/chatAdded':
      return { ...session, chats: upsert(list(session.chats), object(action.summary), sameChat(action.summary)) };
    case 'session/chatRemoved':
      return removeChat(session, action.chat);
    case 'session/chatUpdated': {
      const changes = Object.entries(object(action.changes)).filter(([name]) => name !== 'resource');
      const given = Object.fromEntries(changes.map(([name, value]) => [name, value ?? undefined]));
      const isIt = (chat: Wire) => chat.resource === action.chat;
      return { ...session, chats: changeFirst(list(session.chats), isIt, (chat) => ({ ...chat, ...given })) };
    }
    case 'session/defaultChatChanged':
      return { ...session, defaultChat: action.defaultChat };
    case 'session/titleChanged':
      return timed({ title: action.title });
    case 'session/isReadChanged':
      return withMembers({ status: withFlag(status, IS_READ, action.isRead) });
    case 'session/isArchivedChanged':
      return withMembers({ status: withFlag(status, IS_ARCHIVED, action.isArchived) });
    case 'session/activityChanged':
      return withMembers({ activity: action.activity });
    case 'session/changesetsChanged':
      return { ...session, changesets: action.changesets };
    case 'session/configChanged':
      return session.config ? { ...timed({}), config: mergeConfig(object(session.config), action) } : session;
    case 'session/metaChanged':
      return { ...session, _meta: action._meta };
    case 'session/serverToolsChanged':
      return { ...session, serverTools: action.tools };
    case 'session/modelChanged':
      return rules.isFlat ? session : timed({ model: action.model });
    case 'session/agentChanged':
      return rules.isFlat ? session : timed({ agent: action.agent });
    case 'session/activeClientChanged':
      return rules.isFlat ? session : { ...session, activeClient: action.activeClient ?? undefined };
    case 'session/activeClientToolsChanged':
      if (rules.isFlat || !session.activeClient) return session;
      return { ...session, activeClient: { ...object(session.activeClient), tools: action.tools } };
    case 'session/activeClientSet': {
      const { clientId } = object(action.activeClient);
      const isIt = (client: Wire) => client.clientId === clientId;
      if (!rules.isFlat) return session;
      return { ...session, activeClients: upsert(list(session.activeClients), object(action.activeClient), isIt) };
    }
    case 'session/activeClientRemoved': {
      if (!rules.isFlat) return session;
      const isIt = (client: Wire) => client.clientId === action.clientId;
      return { ...session, activeClients: removeFirst(list(session.activeClients), isIt) };
    }
    case 'session/inputNeededSet':
    case 'session/inputNeededRemoved':
      return rules.listsInputNeeded ? reduceInputNeeded(rules, session, action) : session;
    case 'session/workingDirectorySet':
      return rules.hasDirectories ? withDirectory(session, action.directory) : session;
    case 'session/workingDirectoryRemoved':
      return rules.hasDirectories ? withoutDirectory(session, action.directory) : session;
    case 'session/workingDirectoryReplaced':
      return rules.hasErrorParts ? replaceDirectory(session, action) : session;
    default:
      return reduceCustomizations(rules, session, action);
  }
}

function sameChat(summary: unknown): (chat: Wire) => boolean {
  return ({ resource }) => resource === object(summary).resource;
}

function removeChat(session: Wire, uri: unknown): Wire {
  if (!list(session.chats).some(({ resource }) => resource === uri)) return session;
  const { defaultChat, ...others } = session;
  const chats = removeFirst(list(session.chats), ({ resource }) => resource === uri);
  return defaultChat === uri ? { ...others, chats } : { ...session, chats };
}

function reduceInputNeeded(rules: Rules, session: Wire, action: Wire): Wire {
  const known = list(session.inputNeeded);
  const request = object(action.request);
  const isSet = action.type === 'session/inputNeededSet';
  if (!isSet && !known.some(({ id }) => id === action.id)) return session;
  const entries = isSet
    ? upsert(known, request, ({ id }) => id === request.id)
    : known.filter(({ id }) => id !== action.id);
  // Before 0.9 also what a client has to run counted.
  const isWaiting = entries.some(({ kind }) => !rules.hasErrorParts || kind !== 'toolClientExecution');
  const status = isWaiting
    ? withActivity(session.status, INPUT_NEEDED)
    : Number(session.status) & ~(INPUT_NEEDED & ~IN_PROGRESS);
  return { ...session, inputNeeded: nonEmpty(entries), status: status >>> 0 };
}

function replaceDirectory(session: Wire, { directory, replacement }: Wire): Wire {
  const known = session.workingDirectories as unknown[] | undefined;
  if (!known?.includes(directory) || directory === replacement) return session;
  const others = known.filter((each) => each !== replacement);
  return { ...session, workingDirectories: others.map((each) => (each === directory ? replacement : each)) };
}

export function mergeConfig(config: Wire, action: Wire): Wire {
  const values = action.replace ? object(action.config) : { ...object(config.values), ...object(action.config) };
  return { ...config, values };
}
