import { asList, defined, isSameJson, mapObject, type WireAction, type WireObject, without } from '../shared/wire.js';
import { errorInfo } from './message.js';

/** 0.3 has no error without the status `error`, so a changeset with an error always gets it. */
export function changesetState(later: WireObject): WireObject {
  return { ...shownStatus(later), files: later.files, ...shownOperations(later) };
}

/** The actions that bring a 0.3 changeset from one state to the next; there is none that says all of it at once. */
export function contentChanged(action: WireAction, before: WireObject, after: WireObject): WireAction[] {
  const cleared = asList(before.files).length > 0 ? [{ type: 'changeset/cleared' }] : [];
  const files = asList(action.files).map((file) => ({ type: 'changeset/fileSet', file }));
  const operations = action.operations ? [operationsChanged(after)] : [];
  const isSameStatus = isSameJson(shownStatus(before), shownStatus(after));
  const status = isSameStatus ? [] : [{ type: 'changeset/statusChanged', ...shownStatus(after) }];
  return [...cleared, ...files, ...operations, ...status];
}

/** An operation that becomes or was disabled comes or goes, because 0.3 knows no disabled ones. */
export function operationStatusChanged(action: WireAction, before: WireObject, after: WireObject): WireAction[] {
  const wasShown = isShown(before, action.operationId);
  if (wasShown !== isShown(after, action.operationId)) return [operationsChanged(after)];
  return wasShown ? [{ ...mapObject(action, 'error', errorInfo), type: action.type }] : [];
}

export function operationsChanged(later: WireObject): WireAction {
  return { type: 'changeset/operationsChanged', ...shownOperations(later) };
}

export function statusChanged({ type, status, error }: WireAction): WireAction {
  return { type, ...shownStatus(status === 'error' ? { status, ...defined('error', error) } : { status }) };
}

function shownStatus({ status, error }: WireObject): WireObject {
  return error ? { status: 'error', ...mapObject({ error }, 'error', errorInfo) } : { status };
}

function isShown({ operations }: WireObject, id: unknown): boolean {
  return asList(operations).some((operation) => operation.id === id && operation.status !== 'disabled');
}

function shownOperations({ operations }: WireObject): WireObject {
  if (!operations) return {};
  return {
    operations: asList(operations)
      .filter(({ status }) => status !== 'disabled')
      .map((operation) => mapObject(without(operation, 'group'), 'error', errorInfo)),
  };
}
