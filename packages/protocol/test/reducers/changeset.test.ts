import { describe, expect, it } from 'vitest';
import type { ChangesetAction, ChangesetOperation, ChangesetState } from '../../src/index.js';
import { apply, foreign, onTheWire, withExtras } from '../support/reducing.js';
import { changedFile, changesetState, error } from '../support/samples.js';

const fileSet = (id: string, added: number): ChangesetAction => ({
  type: 'changeset/fileSet',
  file: changedFile(id, added),
});

function after(state: ChangesetState, ...actions: ChangesetAction[]): ChangesetState {
  return apply('changeset', state, ...actions);
}

function operation(id: string, over: Partial<ChangesetOperation> = {}): ChangesetOperation {
  return { id, label: id, scopes: ['changeset'], status: 'idle', ...over };
}

describe('changeset/statusChanged', () => {
  it('R-95 stores an error with the status `error`', () => {
    const state = after(changesetState(), { type: 'changeset/statusChanged', status: 'error', error });
    expect(state).toEqual(changesetState({ status: 'error', error }));
  });

  it('R-95 an error without details clears older ones', () => {
    const before = changesetState({ status: 'error', error });
    const state = after(before, { type: 'changeset/statusChanged', status: 'error' });
    expect(onTheWire(state)).toStrictEqual(changesetState({ status: 'error' }));
  });

  it('R-95 any other status removes the error, even one that comes with it', () => {
    const before = changesetState({ status: 'error', error });
    const state = after(before, { type: 'changeset/statusChanged', status: 'computing', error });
    expect(onTheWire(state)).toStrictEqual(changesetState({ status: 'computing' }));
  });
});

describe('changeset/fileSet', () => {
  it('R-96 appends new files and replaces known ones wholly and in place', () => {
    const before = changesetState({ files: [withExtras(changedFile('a')), changedFile('b')] });
    const state = after(before, fileSet('c', 3), fileSet('a', 9));
    expect(state.files).toEqual([changedFile('a', 9), changedFile('b'), changedFile('c', 3)]);
  });

  it('R-96 keeps unknown members of the state', () => {
    const state = after(withExtras(changesetState()), fileSet('a', 1));
    expect(state).toEqual(withExtras(changesetState({ files: [changedFile('a')] })));
  });
});

describe('changeset/fileRemoved', () => {
  it('R-97 removes by id', () => {
    const before = changesetState({ files: [changedFile('a'), changedFile('b'), changedFile('c')] });
    const state = after(before, { type: 'changeset/fileRemoved', fileId: 'b' });
    expect(state.files).toEqual([changedFile('a'), changedFile('c')]);
  });

  it('R-97 is a no-op for an unknown file', () => {
    const before = changesetState({ files: [changedFile('a')] });
    expect(after(before, { type: 'changeset/fileRemoved', fileId: 'x' })).toBe(before);
  });
});

describe('changeset/contentChanged', () => {
  const failed = changesetState({ status: 'error', error, files: [changedFile('a')], operations: [operation('o')] });

  it('R-98 replaces the files, keeps status, error and operations', () => {
    const state = after(failed, { type: 'changeset/contentChanged', files: [changedFile('b')] });
    expect(onTheWire(state)).toStrictEqual({ ...failed, files: [changedFile('b')] });
  });

  it('R-98 takes operations where given, also none, and no error, as 0.4 did', () => {
    const other = { ...error, message: 'another' };
    const action = foreign<ChangesetAction>({
      type: 'changeset/contentChanged',
      files: [],
      operations: [],
      error: other,
    });
    expect(after(failed, action)).toEqual({ status: 'error', error, files: [], operations: [] });
  });
});

describe('changeset/filesReviewChanged', () => {
  const reviewChanged = (files: string[], reviewed: boolean): ChangesetAction => ({
    type: 'changeset/filesReviewChanged',
    files,
    reviewed,
  });
  const before = changesetState({
    files: [withExtras(changedFile('a')), { ...changedFile('b'), reviewed: true }, changedFile('c')],
  });

  it('marks the files with these ids and keeps the others by identity', () => {
    const state = after(before, reviewChanged(['c', 'a', 'x'], true));
    expect(state.files).toEqual([
      withExtras({ ...changedFile('a'), reviewed: true }),
      before.files[1],
      { ...changedFile('c'), reviewed: true },
    ]);
    expect(state.files[1]).toBe(before.files[1]);
  });

  it('takes a mark back by writing `false`', () => {
    expect(after(before, reviewChanged(['b'], false)).files[1]).toEqual({ ...changedFile('b'), reviewed: false });
  });

  it.each([
    ['for files that are marked so already', ['b'], true],
    ['for unknown files', ['x'], true],
    ['for no files', [], false],
  ])('is a no-op %s', (_, files, reviewed) => {
    expect(after(before, reviewChanged(files, reviewed))).toBe(before);
  });

  it('a file that is set again comes without a mark, unless it brings one', () => {
    const marked = after(before, reviewChanged(['a'], true));
    expect(after(marked, fileSet('a', 2)).files[0]).toEqual(changedFile('a', 2));
  });
});

describe('changeset/operationsChanged', () => {
  it('R-99 replaces the list, and removes it when none is given', () => {
    const before = changesetState({ operations: [operation('o')] });
    const state = after(before, { type: 'changeset/operationsChanged', operations: [operation('p')] });
    expect(state.operations).toEqual([operation('p')]);
    expect(after(state, { type: 'changeset/operationsChanged', operations: [] }).operations).toEqual([]);
    expect(onTheWire(after(state, { type: 'changeset/operationsChanged' }))).not.toHaveProperty('operations');
  });
});

describe('changeset/operationStatusChanged', () => {
  const statusChanged = (operationId: string, over: Pick<ChangesetOperation, 'status' | 'error'>): ChangesetAction => ({
    type: 'changeset/operationStatusChanged',
    operationId,
    ...over,
  });

  it('R-100 changes the status of one operation and keeps the order and everything else', () => {
    const before = changesetState({ operations: [operation('o'), withExtras(operation('p')), operation('q')] });
    const state = after(before, statusChanged('p', { status: 'running' }));
    expect(state.operations).toEqual([
      operation('o'),
      withExtras(operation('p', { status: 'running' })),
      operation('q'),
    ]);
  });

  it('R-100 stores an error with the status `error` and removes it with the next one', () => {
    const failed = after(
      changesetState({ operations: [operation('o')] }),
      statusChanged('o', { status: 'error', error }),
    );
    expect(failed.operations).toEqual([operation('o', { status: 'error', error })]);
    const again = after(failed, statusChanged('o', { status: 'idle', error }));
    expect(onTheWire(again.operations)).toStrictEqual([operation('o')]);
    const silent = after(failed, statusChanged('o', { status: 'error' }));
    expect(onTheWire(silent.operations)).toStrictEqual([operation('o', { status: 'error' })]);
  });

  it.each([
    ['without operations', changesetState()],
    ['for an unknown operation', changesetState({ operations: [operation('o')] })],
  ])('R-100 is a no-op %s', (_, before) => {
    expect(after(before, statusChanged('x', { status: 'running' }))).toBe(before);
  });
});

describe('changeset/cleared', () => {
  it('R-101 empties the files and keeps the rest', () => {
    const before = changesetState({ status: 'error', error, files: [changedFile('a')], operations: [operation('o')] });
    expect(after(before, { type: 'changeset/cleared' })).toEqual({ ...before, files: [] });
  });

  it('R-101 is a no-op when there are none', () => {
    const before = changesetState();
    expect(after(before, { type: 'changeset/cleared' })).toBe(before);
  });
});

describe('changeset/disposed', () => {
  it('is a no-op: it only says that nothing more will come (D-2, over OQ-77)', () => {
    const before = changesetState({ files: [changedFile('a')] });
    expect(after(before, { type: 'changeset/disposed' })).toBe(before);
  });
});

it('R-4 ignores an action type of a later version', () => {
  const before = changesetState();
  expect(after(before, foreign({ type: 'changeset/frozen' }))).toBe(before);
});
