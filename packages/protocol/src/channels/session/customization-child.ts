import { named, object, optional } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';
import { type CustomizationBase, CustomizationBaseSchema, CustomizationType } from './customization-base.js';
import { McpServerCustomizationSchema } from './mcp-server.js';

export interface ChildCustomizationBase extends CustomizationBase {
  /** Absent means that it is used. */
  enabled?: boolean | undefined;
}

export const ChildCustomizationBaseSchema = object<ChildCustomizationBase>('ChildCustomizationBase', {
  ...CustomizationBaseSchema.properties,
  enabled: optional(Type.Boolean()),
});

export interface AgentCustomization extends ChildCustomizationBase {
  type: 'agent';
  /** When to use it. */
  description?: string | undefined;
  /** The model it works with. */
  model?: string | undefined;
  /** The tools it may use; without it, all. */
  tools?: string[] | undefined;
  /** Whether only the user may use it. */
  disableModelInvocation?: boolean | undefined;
  /** Whether only the model may use it. */
  disableUserInvocation?: boolean | undefined;
}

export const AgentCustomizationSchema = object<AgentCustomization>('AgentCustomization', {
  ...ChildCustomizationBaseSchema.properties,
  type: Type.Literal(CustomizationType.Agent),
  description: optional(Type.String()),
  model: optional(Type.String()),
  tools: optional(Type.Array(Type.String())),
  disableModelInvocation: optional(Type.Boolean()),
  disableUserInvocation: optional(Type.Boolean()),
});

export interface SkillCustomization extends ChildCustomizationBase {
  type: 'skill';
  /** When to use it. */
  description?: string | undefined;
  /** Whether only the user may use it. */
  disableModelInvocation?: boolean | undefined;
  /** Whether only the model may use it. */
  disableUserInvocation?: boolean | undefined;
}

export const SkillCustomizationSchema = object<SkillCustomization>('SkillCustomization', {
  ...ChildCustomizationBaseSchema.properties,
  type: Type.Literal(CustomizationType.Skill),
  description: optional(Type.String()),
  disableModelInvocation: optional(Type.Boolean()),
  disableUserInvocation: optional(Type.Boolean()),
});

export interface PromptCustomization extends ChildCustomizationBase {
  type: 'prompt';
  /** What it does. */
  description?: string | undefined;
}

export const PromptCustomizationSchema = object<PromptCustomization>('PromptCustomization', {
  ...ChildCustomizationBaseSchema.properties,
  type: Type.Literal(CustomizationType.Prompt),
  description: optional(Type.String()),
});

export interface RuleCustomization extends ChildCustomizationBase {
  type: 'rule';
  /** What it is about. */
  description?: string | undefined;
  /** Whether it counts for every message. */
  alwaysApply?: boolean | undefined;
  /** The files that it counts for. */
  globs?: string[] | undefined;
}

export const RuleCustomizationSchema = object<RuleCustomization>('RuleCustomization', {
  ...ChildCustomizationBaseSchema.properties,
  type: Type.Literal(CustomizationType.Rule),
  description: optional(Type.String()),
  alwaysApply: optional(Type.Boolean()),
  globs: optional(Type.Array(Type.String())),
});

export interface HookCustomization extends ChildCustomizationBase {
  type: 'hook';
}

export const HookCustomizationSchema = object<HookCustomization>('HookCustomization', {
  ...ChildCustomizationBaseSchema.properties,
  type: Type.Literal(CustomizationType.Hook),
});

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
