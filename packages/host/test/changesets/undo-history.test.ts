import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OperationRecord } from '../../src/services/changesets/journal.js';
import { isWhole, UndoHistory, undoneState } from '../../src/services/changesets/undo-history.js';

const FOLDER = '/folder';
const DAY_MS = 24 * 3_600_000;

function history() {
  const documents = new Map<string, string>();
  const undo = new UndoHistory({
    read: (key) => {
      const json = documents.get(key);
      return json === undefined ? undefined : JSON.parse(json);
    },
    put: (key, value) => {
      if (value === undefined) documents.delete(key);
      else documents.set(key, JSON.stringify(value));
    },
  });
  return { undo, documents };
}

function step(id: string, more: Partial<OperationRecord> = {}): OperationRecord {
  const version = { path: 'a.txt', contentId: 'x', mode: '100644', size: 1_000 };
  return {
    id,
    operationId: 'revert',
    label: id,
    folder: FOLDER,
    at: 0,
    steps: [{ path: 'a.txt', from: version }],
    ...more,
  };
}

const idsIn = (undo: UndoHistory) => [...undo.steps(FOLDER)].map(({ id }) => id);

it('drops what is too old, and what is beyond the size, with nothing left behind', () => {
  const { undo, documents } = history();
  for (let day = 0; day < 10; day++) undo.append(step(`day ${day}`, { at: day * DAY_MS }));
  const limits = { now: 10 * DAY_MS, olderThan: undefined, bytes: 1_000_000 };
  expect(undo.retain(FOLDER, limits)).toHaveLength(10);
  expect(undo.retain(FOLDER, { ...limits, olderThan: 4 * DAY_MS })).toHaveLength(6);
  expect(idsIn(undo).at(-1)).toBe('day 4');
  expect(undo.retain(FOLDER, { ...limits, bytes: 4_000 })).toHaveLength(3);
  expect(idsIn(undo)).toEqual(['day 9', 'day 8', 'day 7']);
  expect(undo.retain(FOLDER, { ...limits, bytes: 1 })).toHaveLength(1); // the newest can always be undone
  undo.append(step('later', { at: 11 * DAY_MS }));
  expect(idsIn(undo)).toEqual(['later', 'day 9']);
  expect(undo.retain(FOLDER, { ...limits, olderThan: 20 * DAY_MS })).toEqual([]);
  expect(undo.folders()).toEqual([]);
  expect([...documents.keys()]).toEqual(['history-folders']);
});

it('counts the age of a step without a time from the first tidy-up on', () => {
  const { undo } = history();
  const { at: _, ...undated } = step('old');
  undo.append(undated);
  undo.retain(FOLDER, { now: 50 * DAY_MS, olderThan: 40 * DAY_MS, bytes: 1_000_000 });
  expect(undo.record('old')?.at).toBe(50 * DAY_MS);
  undo.retain(FOLDER, { now: 70 * DAY_MS, olderThan: 60 * DAY_MS, bytes: 1_000_000 });
  expect(idsIn(undo)).toEqual([]);
});

/** Two redos of one undo, the first of which is taken back and done again when the hunk is gone once more. */
const TWICE_THE_SAME = [
  ...[0, 13, 8, 5].map((target) => ({ target, hunk: 0 })),
  ...[1, 0].map((hunk) => ({ target: 0, hunk })),
  { target: 17, hunk: 0 },
];

it('knows what is undone after any sequence of undos and redos', () => {
  const HUNKS = 3;
  const acts = fc.array(fc.record({ target: fc.nat(20), hunk: fc.nat(HUNKS) }), { maxLength: 30 });
  fc.assert(
    fc.property(acts, (chosen) => {
      const { undo } = history();
      undo.append(step('first'));
      // The hunks of the first step that are in the file: an undo takes some out, a redo puts them back.
      let present = new Set(Array.from({ length: HUNKS }, (_, hunk) => hunk));
      const effects = new Map<string, { readonly hunks: readonly number[]; readonly isUndo: boolean }>();
      chosen.forEach(({ target, hunk }, at) => {
        const all = idsIn(undo).reverse();
        const record = undo.record(all[target % all.length] ?? '');
        if (!record || undoneState(record) === 'all') return;
        const id = `step ${at}`;
        if (record.id === 'first') {
          const hunks = [...present].filter((one) => hunk === HUNKS || one === hunk);
          if (hunks.length === 0) return;
          undo.append(step(id, { undoes: 'first', covers: { 'a.txt': { hunks, of: HUNKS } } }));
          effects.set(id, { hunks, isUndo: true });
        } else {
          undo.append(step(id, { undoes: record.id, covers: { 'a.txt': true } }));
          const { hunks = [], isUndo = false } = effects.get(record.id) ?? {};
          effects.set(id, { hunks, isUndo: !isUndo });
        }
        const { hunks = [], isUndo } = effects.get(id) ?? {};
        present = new Set([0, 1, 2].filter((one) => (hunks.includes(one) ? !isUndo : present.has(one))));
        const part = undo.record('first')?.undone?.['a.txt'];
        const undone = part === undefined ? [] : part === true ? [0, 1, 2] : [...part.hunks];
        expect(undone).toEqual([0, 1, 2].filter((one) => !present.has(one)));
        expect(isWhole(part)).toBe(present.size === 0);
      });
    }),
    { examples: [[TWICE_THE_SAME]] },
  );
});
