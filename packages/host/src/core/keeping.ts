import {
  type ActionOf,
  type AutomationRunLifecycle,
  type AutomationRunState,
  type ChatState,
  isObject,
  type McpServerCustomization,
  type Message,
  type SessionState,
  type StateAction,
} from '@moorage/protocol';
import type { Channel } from './channel.js';
import { stateText } from './snapshot-text.js';
import type { Announcement } from './summary.js';
import type { Tick } from './tick.js';

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

/** Whether the state would be wrong if the host died now, so that a restarted host must settle it. */
export function isUnsettled(kind: Channel['kind'], state: unknown): boolean {
  if (isUnderWay(kind, state)) return true;
  // A queued message may have been about to become a turn.
  if (kind === 'chat') return Boolean((state as ChatState).queuedMessages?.length);
  return kind === 'session' && hasRunningServer(state as SessionState);
}

/** MCP servers run only while their session is in memory, and end with the host. */
function hasRunningServer({ customizations = [] }: SessionState): boolean {
  return customizations.some((entry) =>
    entry.type === 'mcpServer'
      ? isRunning(entry)
      : entry.children?.some((child) => child.type === 'mcpServer' && isRunning(child)),
  );
}

function isRunning({ state, channel }: McpServerCustomization): boolean {
  return state.kind !== 'stopped' || channel !== undefined;
}

/** Whether a channel must stay in memory: a turn is open, a creation or a run is under way, or a client is active. */
export function isUnderWay(kind: Channel['kind'], state: unknown): boolean {
  if (kind === 'chat') {
    return (state as ChatState).activeTurn !== undefined;
  }
  if (kind === 'automationRun') {
    return !isOver((state as AutomationRunState).lifecycle);
  }
  if (kind !== 'session') return false;
  const { lifecycle, activeClients } = state as SessionState;
  return lifecycle === 'creating' || activeClients.length > 0;
}

/** Whether nothing more comes of a run. */
export function isOver({ status }: AutomationRunLifecycle): boolean {
  return status !== 'pending' && status !== 'running';
}

/** Chat actions that can end the active turn. */
export const ENDS_TURN: ReadonlySet<string> = new Set<ActionOf<'chat'>['type']>([
  'chat/turnComplete',
  'chat/turnCancelled',
  'chat/error',
  'chat/truncated',
]);

/** UTF-16 units of a stored channel: a multiple of what people and agents write, a fraction of what a string can hold. */
const MAX_CHANNEL_CHARS = 96 * 1024 * 1024;

/** UTF-16 units of one action of a client, without the attachments that are kept beside state. */
const MAX_ACTION_CHARS = 2 * 1024 * 1024;

/** UTF-16 units of an action that a full channel still takes: enough to cancel, confirm, truncate and remove. */
const MAX_SMALL_ACTION_CHARS = 4 * 1024;

/** Whether the channel has grown as large as one may be. A turn that streams counts for more than its text until saved. */
export function isFull({ keeping }: Channel): boolean {
  return keeping.kind === 'durable' && keeping.saved + keeping.unsaved > MAX_CHANNEL_CHARS;
}

/** Why a client's action is too large for its channel; undefined when it is not. */
export function tooLarge(channel: Channel, action: StateAction): string | undefined {
  if (channel.keeping.kind !== 'durable') return undefined;
  const chars = charsOf(action);
  if (chars > MAX_ACTION_CHARS) {
    return `this is ${chars} characters long, and at most ${MAX_ACTION_CHARS} are taken at once: attach long text as a file`;
  }
  if (chars <= MAX_SMALL_ACTION_CHARS || !isFull(channel)) return undefined;
  return channel.kind === 'chat'
    ? 'this chat is as large as a chat can be: go on in a new one, or go back to an earlier turn'
    : 'this is as large as it can be: remove something first';
}

function charsOf(action: StateAction): number {
  return JSON.stringify(withoutAttachedData(action)).length;
}

function withoutAttachedData(action: StateAction): unknown {
  if (action.type === 'chat/draftChanged') return { ...action, draft: withoutData(action.draft) };
  if (!('message' in action) || typeof action.message !== 'object') return action;
  return { ...action, message: withoutData(action.message) };
}

function withoutData(message: Message | undefined): unknown {
  if (!Array.isArray(message?.attachments)) return message; // senders may add members that the action does not have
  const attachments = message.attachments.map((one) =>
    isObject(one) && one.type === 'embeddedResource' ? { ...one, data: '' } : one,
  );
  return { ...message, attachments };
}
