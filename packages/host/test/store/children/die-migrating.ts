import type { openDatabase } from '../../../src/adapters/shared/sqlite.js';
import { createTransaction } from '../../../src/adapters/store-sqlite/commit.js';
import { connect } from '../../../src/adapters/store-sqlite/connection.js';
import { migrate } from '../../../src/adapters/store-sqlite/migrate.js';
import { migrations } from '../../../src/adapters/store-sqlite/migrations/index.js';
import { liftToToday } from '../../../src/adapters/store-sqlite/older-format/lift.js';
import { liftStore } from '../../../src/adapters/store-sqlite/older-format/lift-store.js';

// Migrates a store, and is killed when it has come to the state with the given number. With 0, it is killed at the end of
// the transaction. It prints nothing.
const [file = '', count = ''] = process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');
let left = Number(count);
const lift: typeof liftToToday = {
  ...liftToToday,
  state: (old, about) => {
    if (--left === 0) die();
    return liftToToday.state(old, about);
  },
};
const steps = migrations.map((step) => (step.version === 3 ? { ...step, up: liftAndDie } : step));
const database = connect(file, { synchronous: 'full' });
migrate(database, { file, transaction: createTransaction(database), steps });

function liftAndDie(inside: ReturnType<typeof openDatabase>): void {
  liftStore(inside, lift);
  die();
}
