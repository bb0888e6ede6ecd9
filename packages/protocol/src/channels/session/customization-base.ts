import type { Static } from 'typebox';
import { IconSchema } from '../../common/icon.js';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { TextRangeSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

/** What a customization is. Plugins and directories hold the others. */
export const CustomizationType = {
  Plugin: 'plugin',
  Directory: 'directory',
  Agent: 'agent',
  Skill: 'skill',
  Prompt: 'prompt',
  Rule: 'rule',
  Hook: 'hook',
  McpServer: 'mcpServer',
} as const;
export type CustomizationType = EnumValue<typeof CustomizationType>;
export const CustomizationTypeSchema = enumSchema('CustomizationType', CustomizationType);

/** How far a plugin or directory is loaded. */
export const CustomizationLoadStatus = {
  Loading: 'loading',
  Loaded: 'loaded',
  Degraded: 'degraded',
  Error: 'error',
} as const;
export type CustomizationLoadStatus = EnumValue<typeof CustomizationLoadStatus>;
export const CustomizationLoadStatusSchema = enumSchema('CustomizationLoadStatus', CustomizationLoadStatus);

export const CustomizationBaseSchema = named(
  'CustomizationBase',
  Type.Object({
    id: Type.String(),
    uri: URISchema,
    name: Type.String(),
    icons: optional(Type.Array(IconSchema)),
    range: optional(TextRangeSchema),
    _meta: optional(freeForm()),
  }),
);
export type CustomizationBase = Static<typeof CustomizationBaseSchema>;

export const CustomizationLoadingStateSchema = named(
  'CustomizationLoadingState',
  Type.Object({
    kind: Type.Literal(CustomizationLoadStatus.Loading),
  }),
);
export type CustomizationLoadingState = Static<typeof CustomizationLoadingStateSchema>;

export const CustomizationLoadedStateSchema = named(
  'CustomizationLoadedState',
  Type.Object({
    kind: Type.Literal(CustomizationLoadStatus.Loaded),
  }),
);
export type CustomizationLoadedState = Static<typeof CustomizationLoadedStateSchema>;

export const CustomizationDegradedStateSchema = named(
  'CustomizationDegradedState',
  Type.Object({
    kind: Type.Literal(CustomizationLoadStatus.Degraded),
    message: Type.String(),
  }),
);
export type CustomizationDegradedState = Static<typeof CustomizationDegradedStateSchema>;

export const CustomizationErrorStateSchema = named(
  'CustomizationErrorState',
  Type.Object({
    kind: Type.Literal(CustomizationLoadStatus.Error),
    message: Type.String(),
  }),
);
export type CustomizationErrorState = Static<typeof CustomizationErrorStateSchema>;

export const CustomizationLoadStateSchema = named(
  'CustomizationLoadState',
  Type.Union([
    CustomizationLoadingStateSchema,
    CustomizationLoadedStateSchema,
    CustomizationDegradedStateSchema,
    CustomizationErrorStateSchema,
  ]),
);
export type CustomizationLoadState = Static<typeof CustomizationLoadStateSchema>;
