import { openSqliteStore } from '../../../src/adapters/store-sqlite/index.js';
import { StoreError } from '../../../src/ports/store.js';

// Opens a store and prints how it failed, or that it did not.
const [file = ''] = process.argv.slice(2);
try {
  openSqliteStore({ file }).close();
  process.stdout.write('"opened"\n');
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  process.stdout.write(`${JSON.stringify({ kind: error.kind, message: error.message })}\n`);
}
