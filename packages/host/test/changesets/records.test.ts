import { expect, it } from 'vitest';
import { ChangeRecords } from '../../src/services/changesets/records.js';
import { inFirstFolder } from '../../src/services/changesets/session-folders.js';
import type { HostContext } from '../../src/services/context.js';

const S = inFirstFolder('s');

/** The records of sessions on documents in memory, and the keys that were read. */
function records() {
  const documents = new Map<string, string>();
  const reads: string[] = [];
  const context = {
    ids: { next: () => 'retired' },
    door: {
      documents: {
        read: (_collection: string, key: string) => {
          reads.push(key);
          return documents.get(key);
        },
        keep: ({ key, json }: { key: string; json?: string }) => {
          if (json === undefined) documents.delete(key);
          else documents.set(key, json);
        },
      },
    },
  } as unknown as HostContext;
  return { records: new ChangeRecords(context), reads, documents };
}

it('are read once per change, however often they are asked for', () => {
  const { records: changes, reads } = records();
  changes.putTurn(S, { turnId: 't', begin: 'a' });
  reads.length = 0;
  for (let n = 0; n < 3; n++) expect(changes.turns(S)).toEqual([{ turnId: 't', begin: 'a' }]);
  expect(reads).toEqual(['s', 's t']);
  changes.putTurn(S, { turnId: 't', begin: 'b' });
  for (let n = 0; n < 3; n++) expect(changes.turn(S, 't')?.begin).toBe('b');
  expect(reads).toEqual(['s', 's t', 's t']);
  changes.retireTurn(S, 't');
  expect([changes.turn(S, 't'), changes.turn(S, 'retired')?.begin]).toEqual([undefined, 'b']);
});

it('are those of the session that has the name now', () => {
  const { records: changes, documents } = records();
  changes.putTurn(S, { turnId: 't', begin: 'a' });
  expect(changes.turns(S)).toHaveLength(1);
  documents.clear(); // purged
  changes.forget('s');
  expect(changes.turns(S)).toEqual([]);
});

it('stay right for more sessions than are remembered', () => {
  const { records: changes } = records();
  for (let n = 0; n < 100; n++) changes.putTurn(inFirstFolder(`s${n}`), { turnId: 't', begin: `${n}` });
  for (let n = 0; n < 100; n++) expect(changes.turn(inFirstFolder(`s${n}`), 't')?.begin).toBe(`${n}`);
});
