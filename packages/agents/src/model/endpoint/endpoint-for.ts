import type { AgentTurn } from '@moorage/host/ports';
import type { ModelAgentOptions, ModelEndpoint } from '../options.js';
import { ModelFailure } from './failure.js';

/** The endpoint with the credentials of a turn: the token of its client where one is declared, else the host's key. */
export function endpointFor({ auth, ...endpoint }: ModelAgentOptions, turn: AgentTurn): ModelEndpoint {
  if (!auth) return endpoint;
  const token = turn.tokens.get(auth.resource);
  if (token === undefined && auth.required !== false) {
    const message = `The model endpoint needs a token for ${auth.resource}. Authenticate, then send the message again.`;
    throw new ModelFailure('authRequired', message);
  }
  return { ...endpoint, token };
}
