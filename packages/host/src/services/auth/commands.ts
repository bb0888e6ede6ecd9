import type { Handler, Handlers } from '../../core/handler.js';
import type { AuthService } from './auth-service.js';

export function authCommands(auth: AuthService) {
  const authenticate: Handler<'authenticate'> = (params, client) => {
    auth.authenticate(params, client);
    return {};
  };
  return { authenticate } satisfies Handlers;
}
