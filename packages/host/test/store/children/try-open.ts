import { openDatabase } from '../../../src/adapters/shared/sqlite.js';
import { openSqliteStore } from '../../../src/adapters/store-sqlite/index.js';
import { StoreError } from '../../../src/ports/store.js';

// Opens a store, as another user if one is named, and prints how it failed, or that it did not.
const [file = '', user] = process.argv.slice(2);
openDatabase(':memory:').close(); // loads what the other user may not be able to read
if (user !== undefined) {
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}
try {
  openSqliteStore({ file }).close();
  process.stdout.write('"opened"\n');
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  process.stdout.write(`${JSON.stringify({ kind: error.kind, message: error.message })}\n`);
}
