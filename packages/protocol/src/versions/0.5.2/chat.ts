import { isObject } from '../../common/is-object.js';
import { activityOf, SessionStatus, withActivity } from '../../common/status.js';
import type { AddressedAction } from '../dialect.js';
import { asList, asObject, type WireAction, type WireObject, without } from '../shared/wire.js';
import type { About, Around, LiftedAction } from '../step.js';

/** What is asked of the user is beside the turns until somebody answers. */
export function withInputRequests(later: WireObject): WireObject {
  const parts = asList(asObject(later.activeTurn).responseParts);
  const requests = parts.filter(isOpen).map(({ request }) => request);
  const chat = requests.length > 0 ? { ...later, inputRequests: requests } : later;
  return withKnownStatus(chat, parts);
}

/** The same back: at the end of the active turn. Without one, nobody can answer any more. */
export function withInputParts(earlier: WireObject, { directory }: About): WireObject {
  const requests = asList(earlier.inputRequests);
  const chat = without(earlier, 'inputRequests');
  const { activeTurn, modifiedAt } = chat;
  if (!isObject(activeTurn)) return requests.length > 0 ? withoutWaiting(chat) : chat;
  const asked = requests.map((request) => ({ kind: 'inputRequest', request }));
  const responseParts = [...asList(activeTurn.responseParts), ...asked];
  const isTime = Number.isFinite(Date.parse(String(modifiedAt)));
  const startedAt = activeTurn.startedAt ?? (isTime ? modifiedAt : isoTime(directory.now()));
  return { ...chat, activeTurn: { ...activeTurn, startedAt, responseParts } };
}

/** Undefined: a question that nobody has answered is not a part. */
export function knownPart(later: WireObject): WireObject | undefined {
  if (isOpen(later)) return undefined;
  return later.kind === 'systemNotification' ? without(later, '_meta') : later;
}

export function responsePartDown(action: WireAction, { channel }: Around): WireObject | readonly AddressedAction[] {
  const part = asObject(action.part);
  return isOpen(part) ? [{ channel, action: { type: 'chat/inputRequested', request: part.request } }] : action;
}

/** Outside of a turn nothing can be asked; 0.5.2 would show it for ever. */
export function inputRequestedDown(action: WireAction, { native }: Around): WireObject | [] {
  return native.after !== undefined && native.before === native.after ? [] : action;
}

export function startUp(action: WireAction, about: About): WireObject | readonly LiftedAction[] {
  const { channel, directory } = about;
  const timed = typeof action.startedAt === 'string' ? action : { ...action, startedAt: isoTime(directory.now()) };
  const kept = questionsOf(about);
  return kept.length === 0 ? timed : [timed, ...kept].map((each) => ({ channel, action: each }));
}

/** What was asked before stayed open in a log of that time, so it is asked again in the new turn. */
function questionsOf({ state }: About): readonly WireAction[] {
  const parts = asList(asObject(state?.activeTurn).responseParts);
  return parts.filter(isOpen).map(({ request }) => ({ type: 'chat/inputRequested', request }));
}

/** The end of a turn says how long it took. */
export function endUp(action: WireAction, { channel, directory }: About): WireObject {
  if (typeof action.duration === 'number') return action;
  const started = Date.parse(directory.chat(channel)?.activeTurn?.startedAt ?? '');
  const duration = Number.isFinite(started) ? Math.max(0, directory.now() - started) : 0;
  return { ...action, duration };
}

function isOpen(part: WireObject): boolean {
  return part.kind === 'inputRequest' && (part.response === undefined || part.response === null);
}

const WAITING: ReadonlySet<unknown> = new Set(['pending-confirmation', 'pending-result-confirmation']);

/** A chat that waits for nothing but a token is at work. */
function withKnownStatus(chat: WireObject, parts: readonly WireObject[]): WireObject {
  const { status } = chat;
  if (typeof status !== 'number' || activityOf(status) !== SessionStatus.InputNeeded) return chat;
  const statuses = parts.map(({ toolCall }) => asObject(toolCall).status);
  if (!statuses.includes('auth-required')) return chat;
  const isWaiting = parts.some(isOpen) || statuses.some((each) => WAITING.has(each));
  return isWaiting ? chat : { ...chat, status: withActivity(status, SessionStatus.InProgress) };
}

function withoutWaiting(chat: WireObject): WireObject {
  const { status } = chat;
  if (typeof status !== 'number' || activityOf(status) !== SessionStatus.InputNeeded) return chat;
  return { ...chat, status: withActivity(status, SessionStatus.Idle) };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
