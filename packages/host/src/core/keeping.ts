import type { StateAction } from '@moorage/protocol';
import type { Channel } from './channel.js';
import { stateText } from './snapshot-text.js';
import type { Announcement } from './summary-board.js';
import type { Tick } from './tick.js';
import { isUnsettled } from './unsettled.js';

/** Adds an action to the stored log of its channel, or to the ring of a channel that is not stored. */
export function keepAction(tick: Tick, channel: Channel, action: StateAction, seq: number, json: string): void {
  const { keeping, uri } = channel;
  if (keeping.kind === 'ring') {
    if (action.type === 'terminal/input') return; // changes no state and may be a password, so it is not replayed (OQ-85)
    tick.rings.push({ ring: keeping.ring, seq, json });
    return;
  }
  keeping.unsaved += json.length;
  tick.append(uri, seq, json);
}

/** Stores the state of a channel as it is now, so that loading needs no log entries up to `seq`. */
export function keepSnapshot(tick: Tick, channel: Channel, seq = channel.seq): void {
  const { uri, kind, state, keeping } = channel;
  if (keeping.kind !== 'durable') return;
  const snapshot = { seq, json: stateText(state) };
  tick.putChannel({ uri, kind, session: keeping.session, unsettled: isUnsettled(kind, state), snapshot });
  const { saved, unsaved } = keeping;
  keeping.saved = snapshot.json.length;
  keeping.unsaved = 0;
  tick.undo.push(() => Object.assign(keeping, { saved, unsaved }));
}

/** Whether loading the channel would mean reading much more log than state, as after a million pieces of text. */
export function needsSnapshot({ keeping }: Channel): boolean {
  return keeping.kind === 'durable' && keeping.unsaved > Math.max(MAX_LOG_CHARS, keeping.saved / 2);
}

/** UTF-16 units of log after which a new snapshot is worth its time; a few milliseconds to read. */
const MAX_LOG_CHARS = 2 * 1024 * 1024;

/** Marks a channel as unsettled, or no longer so. The store lists unsettled channels after a restart. */
export function keepUnsettled(tick: Tick, channel: Channel, unsettled: boolean): void {
  const { uri, kind, keeping } = channel;
  if (keeping.kind === 'durable') tick.putChannel({ uri, kind, session: keeping.session, unsettled });
}

export function keepRemoval(tick: Tick, channel: Channel): void {
  const { uri, kind, keeping } = channel;
  if (keeping.kind !== 'durable') return;
  tick.putChannel({ uri, kind, session: keeping.session, unsettled: false, removed: true });
}

/** Stores the summary that `listSessions` gives from now on. */
export function keepSummary(tick: Tick, { summary, undo }: Announcement): void {
  tick.undo.push(undo);
  const { resource: session, modifiedAt } = summary;
  tick.putSummary({ session, modifiedAt: Date.parse(modifiedAt), json: JSON.stringify(summary) });
}
