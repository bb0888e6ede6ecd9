import { openPostgres } from '@moorage/fleet';
import { afterAll, beforeAll, describe } from 'vitest';
import { describeFleetStore } from '../support/fleet/describe-fleet-store.js';
import { openPglite } from '../support/fleet/pglite.js';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/fleet/postgres-server.js';

describeFleetStore('fleet-postgres on PGlite', async () => openPglite());

describe.skipIf(postgresPrograms() === undefined)('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.end());

  describeFleetStore('fleet-postgres on PostgreSQL', async () => openPostgres({ url: server.url }));
});
