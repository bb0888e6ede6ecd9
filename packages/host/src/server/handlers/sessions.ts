import { type CommandMap, EncodedJson } from '@ahpd/protocol';
import type { Door } from '../../core/door.js';
import type { Store } from '../../ports/store.js';
import type { SessionService } from '../../services/sessions/session-service.js';
import { invalidParams } from '../errors.js';
import type { Handler } from '../handler.js';
import { DEFAULT_TURNS, MAX_TURNS } from '../limits.js';

/** The commands that create, end and read sessions and chats. */
export function sessionHandlers(door: Door, store: Store, sessions: SessionService) {
  const listSessions: Handler<'listSessions'> = () => {
    door.flush();
    return new EncodedJson(`{"items":[${store.sessions.list().join(',')}]}`);
  };

  const createSession: Handler<'createSession'> = (params, connection) => {
    sessions.create(params, connection.clientId);
    return null;
  };

  const disposeSession: Handler<'disposeSession'> = ({ channel }) => {
    sessions.dispose(channel);
    return null;
  };

  const createChat: Handler<'createChat'> = (params) => {
    sessions.createChat(params);
    return null;
  };

  const disposeChat: Handler<'disposeChat'> = ({ channel }) => {
    sessions.disposeChat(channel);
    return null;
  };

  const fetchTurns: Handler<'fetchTurns'> = ({ channel, before, limit = DEFAULT_TURNS }) => {
    if (!Number.isInteger(limit) || limit <= 0) throw invalidParams('params/limit: expected a whole number above 0');
    door.flush();
    const { turns } = sessions.chat(channel).state;
    const end = before === undefined ? turns.length : turns.findIndex((turn) => turn.id === before);
    if (end < 0) throw invalidParams(`params/before: there is no finished turn "${before}"`);
    const start = Math.max(0, end - Math.min(limit, MAX_TURNS));
    return { turns: turns.slice(start, end), hasMore: start > 0 };
  };

  return { listSessions, createSession, disposeSession, createChat, disposeChat, fetchTurns } satisfies {
    [M in keyof CommandMap]?: Handler<M>;
  };
}
