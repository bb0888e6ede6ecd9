import { actionRow, actionTable } from '../../channels/action-table.js';
import type { ChannelKind } from '../../channels/kind.js';

/** Whether a client of a version does not know a native action. Older names for actions are not in the table. */
export function isUnknownTo(version: string, actionType: string): boolean {
  const since = actionRow(actionType)?.since;
  return since !== undefined && isNewer(since, version);
}

/** Whether a version has no channels of a kind: it knows no action on them. */
export function isKindUnknownTo(version: string, kind: ChannelKind): boolean {
  return Object.values(actionTable).every((row) => row.kind !== kind || isNewer(row.since, version));
}

/** Whether one version, such as `0.5.2`, is later than another. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [partsOf(version), partsOf(than)];
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs >= 0 && (a[differs] ?? 0) > (b[differs] ?? 0);
}

function partsOf(version: string): number[] {
  return version.split('.').map(Number);
}
