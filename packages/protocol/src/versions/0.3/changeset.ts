import type { ChangesetOperation, ChangesetState } from '../../channels/changeset/state.js';
import type { StateAction } from '../../channels/state-action.js';
import { type WireObject, without } from '../shared/wire.js';
import { errorInfo } from './message.js';

type Action<T extends StateAction['type']> = Extract<StateAction, { type: T }>;

/** 0.3 has no error without the status `error`, so a changeset with an error always gets it. */
export function changesetState(native: ChangesetState): WireObject {
  return { ...shownStatus(native), files: native.files, ...shownOperations(native.operations) };
}

/** The actions that bring a 0.3 changeset from one state to the next; there is none that says all of it at once. */
export function contentChanged(
  action: Action<'changeset/contentChanged'>,
  before: ChangesetState,
  after: ChangesetState,
): WireObject[] {
  const cleared = before.files.length > 0 ? [{ type: 'changeset/cleared' }] : [];
  const files = action.files.map((file) => ({ type: 'changeset/fileSet', file }));
  const operations = action.operations ? [operationsChanged(after)] : [];
  const status = sameStatus(before, after) ? [] : [{ type: 'changeset/statusChanged', ...shownStatus(after) }];
  return [...cleared, ...files, ...operations, ...status];
}

/** An operation that becomes or was disabled comes or goes, because 0.3 knows no disabled ones. */
export function operationStatusChanged(
  action: Action<'changeset/operationStatusChanged'>,
  before: ChangesetState,
  after: ChangesetState,
): WireObject[] {
  const wasShown = isShown(before, action.operationId);
  if (wasShown !== isShown(after, action.operationId)) return [operationsChanged(after)];
  return wasShown ? [{ ...action, ...(action.error && { error: errorInfo(action.error) }) }] : [];
}

export function operationsChanged({ operations }: Pick<ChangesetState, 'operations'>): WireObject {
  return { type: 'changeset/operationsChanged', ...shownOperations(operations) };
}

export function shownStatus({ status, error }: Pick<ChangesetState, 'status' | 'error'>): WireObject {
  return error ? { status: 'error', error: errorInfo(error) } : { status };
}

function sameStatus(before: ChangesetState, after: ChangesetState): boolean {
  return JSON.stringify(shownStatus(before)) === JSON.stringify(shownStatus(after));
}

function isShown({ operations }: ChangesetState, id: string): boolean {
  return operations?.some((operation) => operation.id === id && operation.status !== 'disabled') ?? false;
}

function shownOperations(operations: readonly ChangesetOperation[] | undefined): WireObject {
  if (!operations) return {};
  return { operations: operations.filter(({ status }) => status !== 'disabled').map(operation) };
}

function operation(native: ChangesetOperation): WireObject {
  const { error } = native;
  return { ...without(native, 'group'), ...(error && { error: errorInfo(error) }) };
}
