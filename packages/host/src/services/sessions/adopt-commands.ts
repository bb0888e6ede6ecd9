import type { Handler, Handlers } from '../../core/handler.js';
import type { AuthService } from '../auth/auth-service.js';
import type { AdoptedSessions } from './adopted-sessions.js';

/** Requests of our own: which sessions an agent had without this host, and to continue one. */
export function adoptCommands(adopted: AdoptedSessions, auth: AuthService) {
  const listEarlierSessions: Handler<'moorage/listEarlierSessions'> = async (params) => ({
    items: await adopted.list(params),
  });

  const adoptSession: Handler<'moorage/adoptSession'> = async (params, client) => {
    const { clientId, locale, isOurs, isVscode } = client;
    const assertUsable = (provider: string) => auth.assertTokens(client, provider, params.channel);
    await adopted.adopt(params, { clientId, locale, isOurs, isVscode, assertUsable });
    auth.created(params.channel, clientId);
    return null;
  };

  return {
    'moorage/listEarlierSessions': listEarlierSessions,
    'moorage/adoptSession': adoptSession,
  } satisfies Handlers;
}
