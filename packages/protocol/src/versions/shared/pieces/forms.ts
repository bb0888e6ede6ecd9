import type { URI } from '../../../common/uri.js';
import type { Directory } from '../../dialect.js';
import type { WireObject } from '../wire.js';

/** What a form may look up. */
export interface About {
  /** The channel that a piece is on; the root for lists of sessions. */
  readonly channel: URI;
  readonly directory: LookUp;
  /** The native state of the channel, where an action of it is lifted from a log. */
  readonly state?: WireObject | undefined;
  /** The model and the agent of the session that a chat of 0.4 belongs to, where such a chat is lifted. */
  readonly selection?: { readonly model?: unknown; readonly agent?: unknown } | undefined;
}

/** What translations of states and actions look up in a host, or in what stands for one. */
export type LookUp = Pick<Directory, 'now' | 'session' | 'chat' | 'sessionOfChat'>;

/** What a piece of the wire is in the next version; the same object if it is the same there. */
export type Form = (piece: WireObject, about: About) => WireObject;

/** The same for a piece that the next version may not show. */
export type HidingForm = (piece: WireObject, about: About) => WireObject | undefined;

/**
 * The pieces of states and actions that look different in the next version. Where they occur is the same in all versions
 * from 0.4 on, and is known here (`in-states.ts`, `in-actions.ts`, ...) and nowhere else. A piece gets its own form before
 * the pieces inside it get theirs.
 */
export interface Forms {
  readonly message?: Form;
  readonly attachment?: Form;
  /** A finished turn, or the active one. */
  readonly turn?: Form;
  readonly part?: HidingForm;
  /** The state of a tool call. Actions that start or complete the description of one have the same members. */
  readonly toolCall?: Form;
  /** The entries of a tool's result. */
  readonly toolContent?: (pieces: readonly WireObject[], about: About) => readonly WireObject[];
  readonly chat?: Form;
  /** What the state of a chat and its entry in the session have in common; may be some of the members only. */
  readonly chatEntry?: Form;
  readonly session?: Form;
  /** A session in a list; may be some of the members only. */
  readonly summary?: Form;
  readonly inputNeeded?: HidingForm;
  /** A customization, at the top or inside another. */
  readonly customization?: Form;
  readonly mcpState?: Form;
  /** An entry in the catalogue of changesets. */
  readonly changesetEntry?: Form;
  readonly agent?: Form;
  readonly model?: Form;
  /** A property of a settings schema, at any depth. */
  readonly property?: Form;
  /** What a terminal and its entry in the root have in common. */
  readonly terminal?: Form;
  readonly claim?: Form;
  readonly annotation?: Form;
  readonly changeset?: Form;
  readonly changedFile?: Form;
  /** An entry of the catalogue of automations. */
  readonly automation?: Form;
}

/** One form after another; undefined when there is none. */
export function inTurn(...forms: readonly (Form | false | undefined)[]): Form | undefined {
  const given = forms.filter((form) => typeof form === 'function');
  const [first, second] = given;
  if (!first || !second) return first;
  return (piece, about) => {
    let current = piece;
    for (const form of given) current = form(current, about);
    return current;
  };
}
