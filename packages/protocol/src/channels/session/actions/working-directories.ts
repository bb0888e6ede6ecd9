import type { Static } from 'typebox';
import { named } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { URISchema } from '../../../common/uri.js';

export const SessionWorkingDirectorySetActionSchema = named(
  'SessionWorkingDirectorySetAction',
  Type.Object({
    type: Type.Literal('session/workingDirectorySet'),
    directory: URISchema,
  }),
);
export type SessionWorkingDirectorySetAction = Static<typeof SessionWorkingDirectorySetActionSchema>;

export const SessionWorkingDirectoryRemovedActionSchema = named(
  'SessionWorkingDirectoryRemovedAction',
  Type.Object({
    type: Type.Literal('session/workingDirectoryRemoved'),
    directory: URISchema,
  }),
);
export type SessionWorkingDirectoryRemovedAction = Static<typeof SessionWorkingDirectoryRemovedActionSchema>;

export const SessionWorkingDirectoryReplacedActionSchema = named(
  'SessionWorkingDirectoryReplacedAction',
  Type.Object({
    type: Type.Literal('session/workingDirectoryReplaced'),
    directory: URISchema,
    replacement: URISchema,
  }),
);
export type SessionWorkingDirectoryReplacedAction = Static<typeof SessionWorkingDirectoryReplacedActionSchema>;
