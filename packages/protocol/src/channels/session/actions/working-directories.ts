import { object } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { type URI, URISchema } from '../../../common/uri.js';

export interface SessionWorkingDirectorySetAction {
  type: 'session/workingDirectorySet';
  /** The `file:` URI of the folder. */
  directory: URI;
}

export const SessionWorkingDirectorySetActionSchema = object<SessionWorkingDirectorySetAction>(
  'SessionWorkingDirectorySetAction',
  {
    type: Type.Literal('session/workingDirectorySet'),
    directory: URISchema,
  },
);

export interface SessionWorkingDirectoryRemovedAction {
  type: 'session/workingDirectoryRemoved';
  /** The `file:` URI of the folder. */
  directory: URI;
}

export const SessionWorkingDirectoryRemovedActionSchema = object<SessionWorkingDirectoryRemovedAction>(
  'SessionWorkingDirectoryRemovedAction',
  {
    type: Type.Literal('session/workingDirectoryRemoved'),
    directory: URISchema,
  },
);

export interface SessionWorkingDirectoryReplacedAction {
  type: 'session/workingDirectoryReplaced';
  /** The `file:` URI of the folder. */
  directory: URI;
  /** The folder that takes its place. */
  replacement: URI;
}

export const SessionWorkingDirectoryReplacedActionSchema = object<SessionWorkingDirectoryReplacedAction>(
  'SessionWorkingDirectoryReplacedAction',
  {
    type: Type.Literal('session/workingDirectoryReplaced'),
    directory: URISchema,
    replacement: URISchema,
  },
);
