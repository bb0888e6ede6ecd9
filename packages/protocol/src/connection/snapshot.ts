import type { Static } from 'typebox';
import { AnnotationsStateSchema } from '../channels/annotations/state.js';
import { ChangesetStateSchema } from '../channels/changeset/state.js';
import { ChatStateSchema } from '../channels/chat/state.js';
import { ResourceWatchStateSchema } from '../channels/resource-watch/state.js';
import { RootStateSchema } from '../channels/root/state.js';
import { SessionStateSchema } from '../channels/session/state.js';
import { TerminalStateSchema } from '../channels/terminal/state.js';
import { named } from '../common/schema.js';
import { Type } from '../common/type.js';
import { URISchema } from '../common/uri.js';

export const SnapshotSchema = named(
  'Snapshot',
  Type.Object({
    resource: URISchema,
    state: Type.Union([
      RootStateSchema,
      SessionStateSchema,
      TerminalStateSchema,
      ChangesetStateSchema,
      ResourceWatchStateSchema,
      AnnotationsStateSchema,
      ChatStateSchema,
    ]),
    fromSeq: Type.Integer(),
  }),
);
/** The state of a channel up to a number; actions with higher ones follow. */
export type Snapshot = Static<typeof SnapshotSchema>;
