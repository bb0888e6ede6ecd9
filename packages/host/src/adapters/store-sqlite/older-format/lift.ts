import { type ChannelKind, isObject, type JsonObject, type SessionState, type URI } from '@moorage/protocol';
import { listedChats } from '@moorage/protocol/internal';
import { type LiftContext, liftAction, liftState, liftSummary } from '@moorage/protocol/versions';
import { type LiftDocument, liftDocuments } from './lift-documents.js';
import { withPrefixes, withPrefixesInAction } from './meta-prefixes.js';

/**
 * Brings what stores up to format 2 hold into the form of today. The functions are pure. They throw for what makes no
 * sense, or return something that makes none: what is stored may be damaged.
 */
export interface Lift {
  state(old: JsonObject, about: LiftedChannel): JsonObject;
  /** The actions on the channel that stand for one of its log. `state` is what they are applied to, if that is known. */
  actions(logged: LoggedAction, about: LiftedChannel, state: JsonObject | undefined): readonly JsonObject[];
  /** `state` is that of the session, if it can be read. */
  summary(old: JsonObject, state: JsonObject | undefined): JsonObject;
  /** By collection; documents of others are the same in both forms. */
  readonly documents: { readonly [collection: string]: LiftDocument };
  /** Whether the state of a session is in the old form. */
  isOld(session: JsonObject): boolean;
}

interface LoggedAction {
  readonly action: JsonObject;
  /** Who was active before an action that changes the active client; there was only one. */
  readonly previousClient?: unknown;
}

/** A channel whose state and log are being lifted. */
export interface LiftedChannel {
  readonly uri: URI;
  readonly kind: ChannelKind;
  /** Of a channel that belongs to a session and is not the session itself. */
  readonly session?: LiftedSession | undefined;
}

/** The session that a channel belongs to, as far as it can be read. */
export interface LiftedSession {
  readonly uri: URI;
  readonly state: JsonObject | undefined;
  /** As lists showed it, in the old form. It says which model and agent the session had chosen. */
  readonly oldSummary: JsonObject | undefined;
}

/** The first format of stores that needs no lifting. */
export const TODAYS_FORMAT = 3;

export const liftToToday: Lift = {
  state: (old, about) => {
    const { kind, session } = about;
    const { model, agent } = session?.oldSummary ?? {};
    const timed = kind === 'chat' ? { ...old, modifiedAt: new Date(lastTime(old, about)).toISOString() } : old;
    const context = { ...contextOf(about, undefined), selection: { model, agent } };
    return liftState(kind, withPrefixes(kind, timed), context) as unknown as JsonObject;
  },
  actions: ({ action, previousClient }, about, state) => {
    const { type } = action;
    if (typeof type !== 'string') throw new TypeError('an action has a type');
    const context = {
      ...contextOf(about, state),
      state,
      previousClient: activeIn(state) ?? (typeof previousClient === 'string' ? previousClient : undefined),
    };
    const lifted = liftAction({ ...withPrefixesInAction(action), type }, context);
    // What a session chose is in every chat already, from its summary.
    return lifted.flatMap((each) => (each.channel === about.uri ? [each.action as unknown as JsonObject] : []));
  },
  summary: (old, state) => {
    const summary = liftSummary(old, { ...NOTHING_KNOWN, now: () => 0 });
    return { ...(summary as unknown as JsonObject), ...(state && listedChats(state as unknown as SessionState)) };
  },
  documents: liftDocuments,
  isOld: (session) => 'summary' in session,
};

/** Chats are not looked up: which model a message of the past was for is not known. */
const NOTHING_KNOWN = { session: () => undefined, chat: () => undefined, sessionOfChat: () => undefined };

function contextOf(about: LiftedChannel, state: JsonObject | undefined): LiftContext {
  const { uri: channel, kind, session } = about;
  const states = new Map([
    [session?.uri, session?.state],
    [channel, kind === 'session' ? state : undefined],
  ]);
  const directory: LiftContext['directory'] = {
    ...NOTHING_KNOWN,
    now: () => lastTime(state ?? {}, about),
    session: (uri) => states.get(uri) as ReturnType<LiftContext['directory']['session']>,
  };
  return { channel, directory };
}

/**
 * When something last happened in a chat, in milliseconds. The log records no times, so this is the time of all of it: what
 * the session says of the chat, or of itself where it does not list the chat, unless the chat's own state knows better.
 */
function lastTime({ modifiedAt }: JsonObject, { uri, session }: LiftedChannel): number {
  const { chats } = session?.state ?? {};
  const entry = Array.isArray(chats) ? chats.find((chat) => isObject(chat) && chat.resource === uri) : undefined;
  const said = entry ? Date.parse(String(entry.modifiedAt)) : Number(session?.oldSummary?.modifiedAt);
  return Math.max(0, ...[said, Date.parse(String(modifiedAt))].filter(Number.isFinite));
}

function activeIn(session: JsonObject | undefined): string | undefined {
  const clients = session?.activeClients;
  const last: unknown = Array.isArray(clients) ? clients.at(-1) : undefined;
  return isObject(last) && typeof last.clientId === 'string' ? last.clientId : undefined;
}
