import { type Icon, IconSchema } from '../../common/icon.js';
import { type EnumValue, enumSchema, freeForm, named, object, optional } from '../../common/schema.js';
import { type TextRange, TextRangeSchema } from '../../common/text.js';
import { type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

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

export interface CustomizationBase {
  /** Unique within the session. */
  id: string;
  /** Where it comes from. */
  uri: URI;
  /** Shown in lists: the name from its front matter, or that of its file. */
  name: string;
  /** Pictures of it. */
  icons?: Icon[] | undefined;
  /** Where in the file it is. */
  range?: TextRange | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const CustomizationBaseSchema = object<CustomizationBase>('CustomizationBase', {
  id: Type.String(),
  uri: URISchema,
  name: Type.String(),
  icons: optional(Type.Array(IconSchema)),
  range: optional(TextRangeSchema),
  _meta: optional(freeForm()),
});

export interface CustomizationLoadingState {
  kind: 'loading';
}

export const CustomizationLoadingStateSchema = object<CustomizationLoadingState>('CustomizationLoadingState', {
  kind: Type.Literal(CustomizationLoadStatus.Loading),
});

export interface CustomizationLoadedState {
  kind: 'loaded';
}

export const CustomizationLoadedStateSchema = object<CustomizationLoadedState>('CustomizationLoadedState', {
  kind: Type.Literal(CustomizationLoadStatus.Loaded),
});

export interface CustomizationDegradedState {
  kind: 'degraded';
  /** What does not work. */
  message: string;
}

export const CustomizationDegradedStateSchema = object<CustomizationDegradedState>('CustomizationDegradedState', {
  kind: Type.Literal(CustomizationLoadStatus.Degraded),
  message: Type.String(),
});

export interface CustomizationErrorState {
  kind: 'error';
  /** Why it could not be loaded. */
  message: string;
}

export const CustomizationErrorStateSchema = object<CustomizationErrorState>('CustomizationErrorState', {
  kind: Type.Literal(CustomizationLoadStatus.Error),
  message: Type.String(),
});

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
