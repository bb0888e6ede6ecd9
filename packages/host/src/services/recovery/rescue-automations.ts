import { AUTOMATIONS_URI, automationRunUri, type ChannelKind } from '@moorage/protocol';
import { isUnsettled } from '../../core/keeping.js';
import type { DamagedChannel, DamagedSession, DamagedStore } from '../../ports/damaged-store.js';
import type { ChannelPut } from '../../ports/store.js';
import { type Rebuilt, rebuild } from './rebuild.js';

/** Whether a session of the store is none: what belongs to no session is stored under a name of its own. */
export function isOfHost({ uri }: Pick<DamagedSession, 'uri'>): boolean {
  return uri === AUTOMATIONS_URI || automationRunUri.matches(uri);
}

/** The channels of automations and runs that can be read. A removed run is not missed. */
export function rescueAutomations(
  { uri, disposedAt }: DamagedSession,
  channels: readonly DamagedChannel[],
  { damaged, losses, seq }: { readonly damaged: DamagedStore; readonly losses: string[]; readonly seq: number },
): ChannelPut[] {
  const own = channels.find((channel) => channel.uri === uri);
  if (!own && disposedAt !== undefined) return [];
  const rebuilt: Rebuilt<ChannelKind> | undefined =
    own &&
    (own.kind === 'automation'
      ? rebuild('automation', own, damaged, { entries: [] })
      : rebuild('automationRun', own, damaged));
  if (!own || !rebuilt) losses.push(`${uri}: lost`);
  else if (rebuilt.isPartial) losses.push(`${uri}: saved, but incomplete`);
  if (!own || !rebuilt) return [];
  const { kind } = own;
  const snapshot = { seq, json: JSON.stringify(rebuilt.state) };
  return [{ uri, kind, session: uri, unsettled: isUnsettled(kind, rebuilt.state), snapshot }];
}
