import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { CustomizationBaseSchema, CustomizationType } from './customization-base.js';
import { McpServerCustomizationSchema } from './mcp-server.js';

export const ChildCustomizationBaseSchema = named(
  'ChildCustomizationBase',
  Type.Object({
    ...CustomizationBaseSchema.properties,
    /** Absent means that it is used. */
    enabled: optional(Type.Boolean()),
  }),
);
export type ChildCustomizationBase = Static<typeof ChildCustomizationBaseSchema>;

export const AgentCustomizationSchema = named(
  'AgentCustomization',
  Type.Object({
    ...ChildCustomizationBaseSchema.properties,
    type: Type.Literal(CustomizationType.Agent),
    description: optional(Type.String()),
    model: optional(Type.String()),
    tools: optional(Type.Array(Type.String())),
    disableModelInvocation: optional(Type.Boolean()),
    disableUserInvocation: optional(Type.Boolean()),
  }),
);
export type AgentCustomization = Static<typeof AgentCustomizationSchema>;

export const SkillCustomizationSchema = named(
  'SkillCustomization',
  Type.Object({
    ...ChildCustomizationBaseSchema.properties,
    type: Type.Literal(CustomizationType.Skill),
    description: optional(Type.String()),
    disableModelInvocation: optional(Type.Boolean()),
    disableUserInvocation: optional(Type.Boolean()),
  }),
);
export type SkillCustomization = Static<typeof SkillCustomizationSchema>;

export const PromptCustomizationSchema = named(
  'PromptCustomization',
  Type.Object({
    ...ChildCustomizationBaseSchema.properties,
    type: Type.Literal(CustomizationType.Prompt),
    description: optional(Type.String()),
  }),
);
export type PromptCustomization = Static<typeof PromptCustomizationSchema>;

export const RuleCustomizationSchema = named(
  'RuleCustomization',
  Type.Object({
    ...ChildCustomizationBaseSchema.properties,
    type: Type.Literal(CustomizationType.Rule),
    description: optional(Type.String()),
    alwaysApply: optional(Type.Boolean()),
    globs: optional(Type.Array(Type.String())),
  }),
);
export type RuleCustomization = Static<typeof RuleCustomizationSchema>;

export const HookCustomizationSchema = named(
  'HookCustomization',
  Type.Object({
    ...ChildCustomizationBaseSchema.properties,
    type: Type.Literal(CustomizationType.Hook),
  }),
);
export type HookCustomization = Static<typeof HookCustomizationSchema>;

export const ChildCustomizationSchema = named(
  'ChildCustomization',
  Type.Union([
    AgentCustomizationSchema,
    SkillCustomizationSchema,
    PromptCustomizationSchema,
    RuleCustomizationSchema,
    HookCustomizationSchema,
    McpServerCustomizationSchema,
  ]),
);
export type ChildCustomization = Static<typeof ChildCustomizationSchema>;

export const ChildCustomizationTypeSchema = named(
  'ChildCustomizationType',
  Type.Enum([
    CustomizationType.Agent,
    CustomizationType.Skill,
    CustomizationType.Prompt,
    CustomizationType.Rule,
    CustomizationType.Hook,
    CustomizationType.McpServer,
  ]),
);
export type ChildCustomizationType = Static<typeof ChildCustomizationTypeSchema>;
