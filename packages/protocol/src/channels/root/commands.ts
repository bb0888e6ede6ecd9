import { rootParamsMembers } from '../../common/base-params.js';
import {
  type PaginatedParams,
  PaginatedParamsSchema,
  type PaginatedResult,
  PaginatedResultSchema,
} from '../../common/pagination.js';
import { freeForm, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type SessionConfigSchema, SessionConfigSchemaSchema } from '../session/config.js';
import { type SessionSummary, SessionSummarySchema } from '../session/summary.js';

export interface ListSessionsParams extends PaginatedParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ListSessionsParamsSchema = object<ListSessionsParams>('ListSessionsParams', {
  ...rootParamsMembers,
  ...PaginatedParamsSchema.properties,
});

export interface ListSessionsResult extends PaginatedResult {
  /** The sessions, latest change first. */
  items: SessionSummary[];
}

export const ListSessionsResultSchema = object<ListSessionsResult>('ListSessionsResult', {
  ...PaginatedResultSchema.properties,
  items: Type.Array(SessionSummarySchema),
});

export interface ResolveSessionConfigParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The agent of the session. */
  provider?: string | undefined;
  /** The folder of the session. */
  workingDirectory?: URI | undefined;
  /** What was chosen so far. */
  config?: Record<string, unknown> | undefined;
}

export const ResolveSessionConfigParamsSchema = object<ResolveSessionConfigParams>('ResolveSessionConfigParams', {
  ...rootParamsMembers,
  provider: optional(Type.String()),
  workingDirectory: optional(URISchema),
  config: optional(freeForm()),
});

export interface ResolveSessionConfigResult {
  /** Which settings there are then. */
  schema: SessionConfigSchema;
  /** Their values, with the defaults. */
  values: Record<string, unknown>;
}

export const ResolveSessionConfigResultSchema = object<ResolveSessionConfigResult>('ResolveSessionConfigResult', {
  schema: SessionConfigSchemaSchema,
  values: freeForm(),
});

export interface SessionConfigValueItem {
  /** The value. */
  value: string;
  /** Its name for people. */
  label: string;
  /** What it means. */
  description?: string | undefined;
}

export const SessionConfigValueItemSchema = object<SessionConfigValueItem>('SessionConfigValueItem', {
  value: Type.String(),
  label: Type.String(),
  description: optional(Type.String()),
});

export interface SessionConfigCompletionsParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The agent of the session. */
  provider?: string | undefined;
  /** The folder of the session. */
  workingDirectory?: URI | undefined;
  /** What was chosen so far. */
  config?: Record<string, unknown> | undefined;
  /** The setting. */
  property: string;
  /** What was typed. */
  query?: string | undefined;
}

export const SessionConfigCompletionsParamsSchema = object<SessionConfigCompletionsParams>(
  'SessionConfigCompletionsParams',
  {
    ...rootParamsMembers,
    provider: optional(Type.String()),
    workingDirectory: optional(URISchema),
    config: optional(freeForm()),
    property: Type.String(),
    query: optional(Type.String()),
  },
);

export interface SessionConfigCompletionsResult {
  /** Values that fit, best first. */
  items: SessionConfigValueItem[];
}

export const SessionConfigCompletionsResultSchema = object<SessionConfigCompletionsResult>(
  'SessionConfigCompletionsResult',
  {
    items: Type.Array(SessionConfigValueItemSchema),
  },
);
