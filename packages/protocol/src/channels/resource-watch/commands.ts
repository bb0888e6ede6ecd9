import { rootParamsMembers } from '../../common/base-params.js';
import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

export interface CreateResourceWatchParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The file or folder to watch. */
  uri: URI;
  /** Whether everything below a folder is meant, too. */
  recursive?: boolean | undefined;
  /** Patterns of what is not reported. */
  excludes?: { items: string[] } | undefined;
  /** Patterns of what is reported; without it, everything. */
  includes?: { items: string[] } | undefined;
}

export const CreateResourceWatchParamsSchema = object<CreateResourceWatchParams>('CreateResourceWatchParams', {
  ...rootParamsMembers,
  uri: URISchema,
  recursive: optional(Type.Boolean()),
  excludes: optional(Type.Object({ items: Type.Array(Type.String()) })),
  includes: optional(Type.Object({ items: Type.Array(Type.String()) })),
});

export interface CreateResourceWatchResult {
  /** Where changes are reported. */
  channel: URI;
}

export const CreateResourceWatchResultSchema = object<CreateResourceWatchResult>('CreateResourceWatchResult', {
  channel: URISchema,
});
