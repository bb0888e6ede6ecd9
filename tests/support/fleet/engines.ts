import { hasNats } from './nats-server.js';
import { postgresPrograms } from './postgres-server.js';

/** The programs that the fleet's tests start, as far as they are not installed. */
export function missingEngines(): readonly string[] {
  return [...(postgresPrograms() === undefined ? ['PostgreSQL'] : []), ...(hasNats() ? [] : ['nats-server'])];
}
