import type { Static } from 'typebox';
import { rootParamsMembers } from '../../common/base-params.js';
import { PaginatedParamsSchema, PaginatedResultSchema } from '../../common/pagination.js';
import { freeForm, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { SessionConfigSchemaSchema } from '../session/config.js';
import { SessionSummarySchema } from '../session/summary.js';

export const ListSessionsParamsSchema = named(
  'ListSessionsParams',
  Type.Object({
    ...rootParamsMembers,
    ...PaginatedParamsSchema.properties,
  }),
);
export type ListSessionsParams = Static<typeof ListSessionsParamsSchema>;

export const ListSessionsResultSchema = named(
  'ListSessionsResult',
  Type.Object({
    ...PaginatedResultSchema.properties,
    items: Type.Array(SessionSummarySchema),
  }),
);
export type ListSessionsResult = Static<typeof ListSessionsResultSchema>;

export const ResolveSessionConfigParamsSchema = named(
  'ResolveSessionConfigParams',
  Type.Object({
    ...rootParamsMembers,
    provider: optional(Type.String()),
    workingDirectory: optional(URISchema),
    config: optional(freeForm()),
  }),
);
export type ResolveSessionConfigParams = Static<typeof ResolveSessionConfigParamsSchema>;

export const ResolveSessionConfigResultSchema = named(
  'ResolveSessionConfigResult',
  Type.Object({
    schema: SessionConfigSchemaSchema,
    values: freeForm(),
  }),
);
export type ResolveSessionConfigResult = Static<typeof ResolveSessionConfigResultSchema>;

export const SessionConfigValueItemSchema = named(
  'SessionConfigValueItem',
  Type.Object({
    value: Type.String(),
    label: Type.String(),
    description: optional(Type.String()),
  }),
);
export type SessionConfigValueItem = Static<typeof SessionConfigValueItemSchema>;

export const SessionConfigCompletionsParamsSchema = named(
  'SessionConfigCompletionsParams',
  Type.Object({
    ...rootParamsMembers,
    provider: optional(Type.String()),
    workingDirectory: optional(URISchema),
    config: optional(freeForm()),
    property: Type.String(),
    query: optional(Type.String()),
  }),
);
export type SessionConfigCompletionsParams = Static<typeof SessionConfigCompletionsParamsSchema>;

export const SessionConfigCompletionsResultSchema = named(
  'SessionConfigCompletionsResult',
  Type.Object({
    items: Type.Array(SessionConfigValueItemSchema),
  }),
);
export type SessionConfigCompletionsResult = Static<typeof SessionConfigCompletionsResultSchema>;
