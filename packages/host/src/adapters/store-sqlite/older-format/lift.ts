import type { ChannelKind, JsonObject, URI } from '@moorage/protocol';
import { withPrefixes, withPrefixesInAction } from './meta-prefixes.js';

/**
 * Brings what stores up to format 2 hold into the form of today. The functions are pure. They throw for what makes no
 * sense, or return something that makes none: what is stored may be damaged.
 */
export interface Lift {
  state(old: JsonObject, about: LiftedChannel): JsonObject;
  /** The actions on the channel that stand for one of its log. */
  actions(old: JsonObject, about: LiftedChannel, state: JsonObject | undefined): readonly JsonObject[];
  /** `state` is that of the session, if it can be read. */
  summary(old: JsonObject, session: URI, state: JsonObject | undefined): JsonObject;
  /** By collection; documents of others are the same in both forms. */
  readonly documents: { readonly [collection: string]: (old: unknown) => unknown };
  /** Whether the state of a session is in the old form. */
  isOld(session: JsonObject): boolean;
}

/** A channel whose state and log are being lifted. `session` is the lifted state of the session that it belongs to. */
export interface LiftedChannel {
  readonly uri: URI;
  readonly kind: ChannelKind;
  readonly session?: JsonObject | undefined;
}

/** The first format of stores that needs no lifting. */
export const TODAYS_FORMAT = 3;

export const liftToToday: Lift = {
  state: (old, { kind }) => withPrefixes(kind, old),
  actions: (old) => [withPrefixesInAction(old)],
  summary: (old) => old,
  documents: {},
  isOld: (session) => 'summary' in session,
};
