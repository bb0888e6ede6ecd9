import type { CreateSessionParams } from '@moorage/protocol';
import { EncodedJson } from '@moorage/protocol/internal';
import { invalidParams } from '../../core/errors.js';
import type { Handler, Handlers } from '../../core/handler.js';
import type { Store } from '../../ports/store.js';
import type { AuthService } from '../auth/auth-service.js';
import { DEFAULT_TURNS, MAX_TURNS } from './limits.js';
import type { SessionService } from './session-service.js';

/** Commands that create, dispose and read sessions and chats. */
export function sessionCommands(store: Store, sessions: SessionService, auth: AuthService) {
  const listSessions: Handler<'listSessions'> = () => new EncodedJson(`{"items":[${store.sessions.list().join(',')}]}`);

  const createSession: Handler<'createSession'> = (params, client) => {
    const learning = sessions.learnSettings(params);
    return learning ? learning.then(() => create(params, client)) : create(params, client);
  };

  const create = (params: CreateSessionParams, client: Parameters<typeof createSession>[1]) => {
    const { clientId, locale, isOurs, isVscode } = client;
    const assertUsable = (provider: string) => auth.assertTokens(client, provider, params.channel);
    sessions.create(params, { clientId, locale, isOurs, isVscode, assertUsable });
    auth.created(params.channel, client.clientId);
    return null;
  };

  const disposeSession: Handler<'disposeSession'> = ({ channel }) => {
    const disposing = sessions.dispose(channel);
    return disposing ? disposing.then(() => null) : null;
  };

  const createChat: Handler<'createChat'> = (params, client) => {
    const { channel, chat, initialMessage } = params;
    if (initialMessage) auth.assertTokens(client, sessions.session(channel).state.summary.provider, channel);
    sessions.createChat(params);
    if (initialMessage) auth.starters.opens(chat, client.clientId); // after createChat, which fails for an existing chat
    return null;
  };

  const disposeChat: Handler<'disposeChat'> = ({ channel }) => {
    sessions.disposeChat(channel);
    return null;
  };

  const fetchTurns: Handler<'fetchTurns'> = ({ channel, before, limit = DEFAULT_TURNS }) => {
    if (!Number.isInteger(limit) || limit <= 0) throw invalidParams('params/limit: expected a whole number above 0');
    const { turns } = sessions.chat(channel).state;
    const end = before === undefined ? turns.length : turns.findIndex((turn) => turn.id === before);
    if (end < 0) throw invalidParams(`params/before: there is no finished turn "${before}"`);
    const start = Math.max(0, end - Math.min(limit, MAX_TURNS));
    return { turns: turns.slice(start, end), hasMore: start > 0 };
  };

  return { listSessions, createSession, disposeSession, createChat, disposeChat, fetchTurns } satisfies Handlers;
}
