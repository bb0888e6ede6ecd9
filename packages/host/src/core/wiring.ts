import type { StateAction, URI } from '@moorage/protocol';
import { type Authorize, allowAll } from '../ports/authorize.js';
import type { Channel } from './channel.js';
import type { Committed, Effects } from './committed.js';
import type { Subscriber } from './delivery.js';
import type { DocumentsOfActions } from './documents.js';
import type { AutomationProblem, FoldersProblem, MissingTokens } from './rules/index.js';

/** What the rest of the host adds to the door. Given once, before the first flush; `compose/wiring.ts` has it all. */
export interface Wiring {
  readonly effects: Effects;
  /** What is decided with an action, in the same tick, so that no crash can separate them. */
  readonly consequences: Effects;
  readonly documents: DocumentsOfActions;
  /** Which tokens a client must give before it can start a turn. */
  readonly missingTokens: MissingTokens;
  /** Which folders a session may have. */
  readonly foldersProblem: FoldersProblem;
  /** Which automations there can be. */
  readonly automationProblem: AutomationProblem;
  /** Asked about every action of a client before the rules. */
  readonly authorize: Authorize;
  /** Moves what is too large for state out of an accepted action of a client, and signs it with a name. May commit what came before it. */
  readonly prepare: Prepare;
  /** Whether a session is in no list. */
  readonly isUnlisted: (session: URI) => boolean;
  /** Opens a channel that exists only while it is watched; asked for a URI that is neither in memory nor stored. */
  readonly openMissing: (uri: URI) => Channel | undefined;
  /** Called with the actions of a tick that could not be stored. Their senders have got rejections. */
  readonly onUndone: (undone: readonly Committed[]) => void;
  /** Called in order when a channel gets its first subscriber, and when its last one leaves; not when it ends. */
  readonly onUsed: readonly ((uri: URI) => void)[];
  readonly onUnused: readonly ((uri: URI) => void)[];
}

/** An action as it is applied. */
type Prepare = (channel: Channel, action: StateAction, sender: Subscriber) => StateAction;

/** A door that nothing is connected to. */
export const NOT_WIRED: Wiring = {
  effects: new Map(),
  consequences: new Map(),
  documents: {},
  missingTokens: () => [],
  foldersProblem: () => undefined,
  automationProblem: () => 'this host has no automations',
  authorize: allowAll,
  prepare: (_channel, action) => action,
  isUnlisted: () => false,
  openMissing: () => undefined,
  onUndone: () => {},
  onUsed: [],
  onUnused: [],
};
