import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adoption } from './fleet/adoption.mjs';
import { groupCommit } from './fleet/append.mjs';
import { missingEngines } from './fleet/engines.mjs';
import { latency } from './fleet/latency.mjs';
import { sessionPage } from './fleet/page.mjs';
import { startPostgres } from './fleet/postgres.mjs';
import { replay } from './fleet/replay.mjs';
import { startWithoutFleet } from './fleet/start.mjs';
import { watching } from './fleet/watching.mjs';

/** What a fleet costs: PostgreSQL against SQLite by hand, and a gateway against the host itself. Goals are of issue 28. */
export function* cases({ smoke }) {
  const missing = missingEngines();
  if (missing) {
    process.stderr.write(`!!! left out: the rows of the fleet, for there is no ${missing}\n`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  const postgres = startPostgres();
  try {
    const ticks = smoke ? 2 : 20;
    yield {
      name: 'a tick of each of 100 hosts, one commit',
      work: 100,
      atMost: 2.5,
      run: () => groupCommit(postgres, folder, ticks),
    };
    const actions = smoke ? 100 : 10_000;
    yield {
      name: `replay ${actions} actions from PostgreSQL`,
      work: actions,
      atMost: 3,
      run: () => replay(postgres, folder, actions),
    };
    const [few, many] = smoke ? [10, 100] : [1_000, 1_000_000];
    yield {
      name: `a page of 50 out of ${many} sessions against ${few}`,
      work: 1,
      atMost: 2,
      sizes: [few, many],
      run: () => sessionPage(postgres, few, many),
    };
    yield {
      name: 'dispatch to echo, through a gateway against directly',
      work: 1,
      atMost: 3,
      run: () => latency(postgres, folder, smoke ? 5 : 300),
    };
    yield* watching(smoke);
    yield {
      name: `take a session of ${actions} actions against loading it`,
      work: actions,
      atMost: 3,
      run: () => adoption(postgres, actions, smoke ? 2 : 9),
    };
    yield {
      name: 'start without a fleet, against a build that has nothing of it',
      work: 1,
      atMost: 1.02,
      run: () => startWithoutFleet(folder, smoke ? 1 : 21),
    };
  } finally {
    postgres.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
