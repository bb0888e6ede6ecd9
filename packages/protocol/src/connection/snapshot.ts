import { type AnnotationsState, AnnotationsStateSchema } from '../channels/annotations/state.js';
import { type AutomationState, AutomationStateSchema } from '../channels/automation/state.js';
import { type AutomationRunState, AutomationRunStateSchema } from '../channels/automation-run/state.js';
import { type ChangesetState, ChangesetStateSchema } from '../channels/changeset/state.js';
import { type ChatState, ChatStateSchema } from '../channels/chat/state.js';
import { type ResourceWatchState, ResourceWatchStateSchema } from '../channels/resource-watch/state.js';
import { type RootState, RootStateSchema } from '../channels/root/state.js';
import { type SessionState, SessionStateSchema } from '../channels/session/state.js';
import { type TerminalState, TerminalStateSchema } from '../channels/terminal/state.js';
import { object } from '../common/schema.js';
import { Type } from '../common/type.js';
import { type URI, URISchema } from '../common/uri.js';

/** The state of a channel up to a number; actions with higher ones follow. */
export interface Snapshot {
  /** The channel. */
  resource: URI;
  /** Its state. */
  state:
    | RootState
    | SessionState
    | TerminalState
    | ChangesetState
    | ResourceWatchState
    | AnnotationsState
    | ChatState
    | AutomationState
    | AutomationRunState;
  /** The number up to which it is current. */
  fromSeq: number;
}

export const SnapshotSchema = object<Snapshot>('Snapshot', {
  resource: URISchema,
  state: Type.Union([
    RootStateSchema,
    SessionStateSchema,
    TerminalStateSchema,
    ChangesetStateSchema,
    ResourceWatchStateSchema,
    AnnotationsStateSchema,
    ChatStateSchema,
    AutomationStateSchema,
    AutomationRunStateSchema,
  ]),
  fromSeq: Type.Integer(),
});
