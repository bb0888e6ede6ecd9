import type { ChannelKind } from '../channels/kind.js';
import type { ChannelStates } from '../channels/registry.js';
import type { StateAction } from '../channels/state-action.js';
import type { FileEdit } from '../common/content.js';
import type { URI } from '../common/uri.js';
import type { ErrorBody } from '../rpc/errors.js';
import type { WireAction, WireObject } from './shared/wire.js';

export type DialectName =
  | 'v1'
  | '0.1'
  | '0.2'
  | '0.3'
  | '0.4'
  | '0.5.0'
  | '0.5.1'
  | '0.5.2'
  | '0.6'
  | '0.7'
  | '0.9'
  | '1.0';

/** One version of the wire, as pure translations to and from the version that the host speaks natively. */
export interface Dialect {
  readonly name: DialectName;
  /** Undefined for the native version: what the host says is sent as it is. */
  readonly down: Downward | undefined;
  readonly up: Upward;
}

/** What a translator may look up in the host, as things are now. */
export interface Directory {
  /** What an empty URI stands for where a folder is asked for. */
  readonly defaultDirectory: URI | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The URI of the channel that a client means: aliases of the root and of sessions are resolved. */
  resolve(uri: URI): URI;
  /** The provider of a session, also of one that has just ended. */
  providerOf(session: URI): string | undefined;
  session(uri: URI): ChannelStates['session'] | undefined;
  chat(uri: URI): ChannelStates['chat'] | undefined;
  /** The session that a chat belongs to. */
  sessionOfChat(chat: URI): SessionRef | undefined;
}

/** A session with its URI, which its state does not say. */
export interface SessionRef {
  readonly uri: URI;
  readonly state: ChannelStates['session'];
}

/** An action on a channel with the states before and after it, which are not known in a replay. */
export interface Change {
  readonly channel: URI;
  readonly kind: ChannelKind;
  readonly action: StateAction;
  readonly before?: unknown;
  readonly after?: unknown;
  /** The session that the channel belongs to, as the action left it; in a replay as it is now. */
  readonly session?: SessionRef | undefined;
}

/** A channel as a snapshot shows it. What belongs to a session comes with it. */
export type Subject =
  | {
      readonly kind: 'session';
      readonly uri: URI;
      readonly state: ChannelStates['session'];
      /** The chat that versions without chats show as the session's own. */
      readonly chat?: ChannelStates['chat'] | undefined;
      /** The files of the session's changeset, once they are computed. */
      readonly diffs?: readonly FileEdit[] | undefined;
    }
  | {
      readonly kind: 'chat';
      readonly uri: URI;
      readonly state: ChannelStates['chat'];
      readonly session: SessionRef;
    }
  | {
      [K in Exclude<ChannelKind, 'session' | 'chat'>]: {
        readonly kind: K;
        readonly uri: URI;
        readonly state: ChannelStates[K];
      };
    }[Exclude<ChannelKind, 'session' | 'chat'>];

/** What a client of the dialect is sent because of one change. */
export type Translated = AddressedAction | Notice;

/** An action of the dialect with its channel, which has the host's own URI. */
export interface AddressedAction {
  readonly channel: URI;
  readonly action: WireAction;
  readonly replaces?: string;
}

/** A change as it is in our own version. */
export function inWire(change: Change): AddressedAction {
  return change as { channel: URI; action: object } as AddressedAction;
}

/** A notification. */
export interface Notice {
  readonly method: string;
  readonly params: WireObject;
  /** Of several with the same key in one delivery only the last has to be sent. */
  readonly replaces?: string;
}

/** From the host to clients of the dialect. */
export interface Downward {
  /** Chats do not exist: a session shows its first chat as its own, other chats look like sessions. */
  readonly mergesChats: boolean;
  /** A session shows the files of its changeset itself. */
  readonly showsDiffs: boolean;
  /** Notifications go to every connection, subscribed or not. */
  readonly broadcasts: boolean;
  /** Envelopes look as they do natively, so an action that is not translated can be sent in the native frame. */
  readonly keepsEnvelopes: boolean;
  /** Undefined when the dialect has no such channel. */
  state(subject: Subject, directory: Directory): WireObject | undefined;
  /** At most as many actions as `reservedNumbers` says for the change. */
  change(change: Change, directory: Directory): readonly Translated[];
  /** Whether a change can be translated without the states before and after it. */
  isReplayable(change: Change, directory: Directory): boolean;
  /** The parameters of an `action` notification. */
  envelope(channel: URI, rest: EnvelopeRest): WireObject;
  notification(notice: Notice, directory: Directory): Notice | undefined;
  /** The URI under which clients of the dialect know a channel. */
  shown(uri: URI, directory: Directory): URI;
  result(method: string, result: unknown, directory: Directory): unknown;
  error(error: ErrorBody, method: string): ErrorBody;
}

/** An envelope without its channel. */
export interface EnvelopeRest {
  readonly action: WireObject;
  readonly serverSeq: number;
  readonly origin?: { readonly clientId: string; readonly clientSeq: number } | undefined;
  readonly rejectionReason?: string | undefined;
}

/** From clients of the dialect to the host. */
export interface Upward {
  /** The native parameters of a request; undefined when the dialect has no such method. */
  request(method: string, params: WireObject, directory: Directory): WireObject | undefined;
  /** The channel that a dispatch names; undefined when it names none. */
  channelOf(params: WireObject): URI | undefined;
  /** The native form of a dispatched action; what cannot be one is left for the rules to refuse. */
  action(dispatch: WireDispatch, directory: Directory): UpwardAction;
}

/** A dispatch as it came in: the envelope is readable, the action may be anything. `channel` is resolved. */
export interface WireDispatch {
  readonly channel: URI;
  readonly action: WireAction;
}

export type UpwardAction =
  | {
      readonly kind: 'action';
      readonly channel: URI;
      readonly action: WireAction;
      /**
       * What happens is not quite what the sender wrote, so it gets back the translation that everybody gets. Where that is
       * empty it gets its own words, on the channel that it named.
       */
      readonly isRephrased?: boolean;
    }
  /** The session has no chat left; one has to be made before this can be tried again. */
  | { readonly kind: 'needsChat'; readonly session: URI }
  | { readonly kind: 'reject'; readonly reason: string };
