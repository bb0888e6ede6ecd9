import { type CreateSessionParams, ExtensionMeta, type SessionSummary, type URI } from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import type { Handler, Handlers } from '../../core/handler.js';
import { turnsBefore } from '../../core/turn-pages.js';
import type { AuthService } from '../auth/auth-service.js';
import type { HostContext } from '../context.js';
import { DEFAULT_TURNS } from './limits.js';
import { listedSessions } from './session-page.js';
import type { SessionService } from './session-service.js';
import { turnPage } from './turn-page.js';

/** Commands that create, dispose and read sessions and chats. */
export function sessionCommands({ store, door }: HostContext, sessions: SessionService, auth: AuthService) {
  const listSessions: Handler<'listSessions'> = (params, { onlySession }) => {
    const all = store.sessions.list();
    return listedSessions(onlySession === undefined ? all : all.filter(isSummaryOf(onlySession)), params);
  };

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
    if (initialMessage) auth.assertTokens(client, sessions.session(channel).state.provider, channel);
    sessions.createChat(params, client);
    if (initialMessage) auth.starters.opens(chat, client.clientId); // after createChat, which fails for an existing chat
    return null;
  };

  const disposeChat: Handler<'disposeChat'> = ({ channel }) => {
    sessions.disposeChat(channel);
    return null;
  };

  const fetchTurns: Handler<'fetchTurns'> = ({ channel, cursor, _meta }, client) => {
    const chat = sessions.chat(channel);
    const page = _meta?.[ExtensionMeta.page];
    if (page !== undefined) return turnPage(chat.state, page);
    if (cursor === undefined) return {}; // a client without a cursor has all turns
    const loaded = turnsBefore(chat.state, cursor, DEFAULT_TURNS);
    if (!loaded) throw invalidParams('params/cursor: expected the "turnsNextCursor" of this chat');
    door.show(client, chat, loaded);
    return {};
  };

  return { listSessions, createSession, disposeSession, createChat, disposeChat, fetchTurns } satisfies Handlers;
}

/** Whether a summary, as JSON, is that of a session. */
function isSummaryOf(session: URI): (json: string) => boolean {
  return (json) => (JSON.parse(json) as SessionSummary).resource === session;
}
