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
  provider?: string | undefined;
  workingDirectory?: URI | undefined;
  config?: Record<string, unknown> | undefined;
}

export const ResolveSessionConfigParamsSchema = object<ResolveSessionConfigParams>('ResolveSessionConfigParams', {
  ...rootParamsMembers,
  provider: optional(Type.String()),
  workingDirectory: optional(URISchema),
  config: optional(freeForm()),
});

export interface ResolveSessionConfigResult {
  schema: SessionConfigSchema;
  values: Record<string, unknown>;
}

export const ResolveSessionConfigResultSchema = object<ResolveSessionConfigResult>('ResolveSessionConfigResult', {
  schema: SessionConfigSchemaSchema,
  values: freeForm(),
});

export interface SessionConfigValueItem {
  value: string;
  label: string;
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
  provider?: string | undefined;
  workingDirectory?: URI | undefined;
  config?: Record<string, unknown> | undefined;
  property: string;
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
  items: SessionConfigValueItem[];
}

export const SessionConfigCompletionsResultSchema = object<SessionConfigCompletionsResult>(
  'SessionConfigCompletionsResult',
  {
    items: Type.Array(SessionConfigValueItemSchema),
  },
);
