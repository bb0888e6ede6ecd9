import { createPostgresFleetStore } from '@moorage/fleet';
import { median } from '../lib/fit.mjs';
import { fleetDatabase } from './postgres.mjs';

const HOSTS = 10;
const ROUNDS = 30;

/** A page from the middle of the list, of all hosts and of some, in a fleet with many sessions against one with few. */
export async function sessionPage(postgres, few, many) {
  const [small, large] = [await fleetWith(postgres, few), await fleetWith(postgres, many)];
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ baselineMs: await small.page(), oursMs: await large.page() });
  await small.end();
  await large.end();
  return {
    baselineMs: median(rounds.map(({ baselineMs }) => baselineMs)),
    oursMs: median(rounds.map(({ oursMs }) => oursMs)),
  };
}

async function fleetWith(postgres, count) {
  const { database, hosts } = await fleetDatabase(postgres, HOSTS);
  await database.query(
    `insert into session (uri, host, epoch, modified_at, summary, title, status)
     select 'ahp-session:/' || n, ($1::text[])[1 + n % ${HOSTS}], 1, 1.75e12 + n,
       json_build_object('resource', 'ahp-session:/' || n, 'title', 'session ' || n, 'status', 1)::text, 'session ' || n, 1
     from generate_series(1, $2::int) as n`,
    [hosts, count],
  );
  await database.execute('analyze session');
  const { sessions } = createPostgresFleetStore(database);
  const middle = { modifiedAt: 1.75e12 + count / 2, id: Math.round(count / 2) };
  return {
    page: async () => {
      const began = performance.now();
      await sessions.page({ limit: 50 }, middle);
      await sessions.page({ limit: 50, hosts: hosts.slice(0, 3) }, middle);
      return performance.now() - began;
    },
    end: () => database.close(),
  };
}
