import { type EnumValue, enumSchema, freeForm, named, object, optional } from '../../common/schema.js';
import {
  type AgentSelection,
  AgentSelectionSchema,
  type ModelSelection,
  ModelSelectionSchema,
} from '../../common/selection.js';
import { type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type Message, MessageSchema } from '../chat/message.js';
import { type ClientPluginCustomization, ClientPluginCustomizationSchema } from '../session/customization.js';
import { type AutomationTrigger, AutomationTriggerSchema } from './trigger.js';

/** What the sessions of an automation are like. */
export interface AutomationSessionTemplate {
  /** The agent; without it, the host chooses one. */
  provider?: string | undefined;
  /** The model; without it, that of the agent. */
  model?: ModelSelection | undefined;
  /** The custom agent. */
  agent?: AgentSelection | undefined;
  /** The folders they work in, the main one first. */
  workingDirectories?: URI[] | undefined;
  /** Values of settings, by name. */
  config?: Record<string, unknown> | undefined;
  /** Plugins that a client gives them. */
  customizations?: ClientPluginCustomization[] | undefined;
}

export const AutomationSessionTemplateSchema = object<AutomationSessionTemplate>('AutomationSessionTemplate', {
  provider: optional(Type.String()),
  model: optional(ModelSelectionSchema),
  agent: optional(AgentSelectionSchema),
  workingDirectories: optional(Type.Array(URISchema)),
  config: optional(freeForm()),
  customizations: optional(Type.Array(ClientPluginCustomizationSchema)),
});

/** When an automation disables itself. */
export const AutomationDisableConditionKind = {
  AfterRuns: 'afterRuns',
  AfterDate: 'afterDate',
} as const;
export type AutomationDisableConditionKind = EnumValue<typeof AutomationDisableConditionKind>;
export const AutomationDisableConditionKindSchema = enumSchema(
  'AutomationDisableConditionKind',
  AutomationDisableConditionKind,
);

export interface AutomationAfterRunsCondition {
  kind: 'afterRuns';
  /** How many runs there may be. */
  max: number;
}

export const AutomationAfterRunsConditionSchema = object<AutomationAfterRunsCondition>('AutomationAfterRunsCondition', {
  kind: Type.Literal(AutomationDisableConditionKind.AfterRuns),
  max: Type.Integer(),
});

export interface AutomationAfterDateCondition {
  kind: 'afterDate';
  /** No run begins after this ISO time. */
  date: string;
}

export const AutomationAfterDateConditionSchema = object<AutomationAfterDateCondition>('AutomationAfterDateCondition', {
  kind: Type.Literal(AutomationDisableConditionKind.AfterDate),
  date: Type.String(),
});

export const AutomationDisableConditionSchema = named(
  'AutomationDisableCondition',
  Type.Union([AutomationAfterRunsConditionSchema, AutomationAfterDateConditionSchema]),
);
export type AutomationDisableCondition = Static<typeof AutomationDisableConditionSchema>;

/** What an automation does, and when. */
export interface AutomationDefinition {
  /** Its name. */
  title: string;
  /** What its sessions begin with. */
  message: Message;
  /** What its sessions are like. */
  session: AutomationSessionTemplate;
  /** Whether its triggers start runs. */
  enabled: boolean;
  /** What starts runs; without any, only somebody who asks for one does. */
  triggers: AutomationTrigger[];
  /** When it disables itself. */
  disableConditions?: AutomationDisableCondition[] | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const AutomationDefinitionSchema = object<AutomationDefinition>('AutomationDefinition', {
  title: Type.String(),
  message: MessageSchema,
  session: AutomationSessionTemplateSchema,
  enabled: Type.Boolean(),
  triggers: Type.Array(AutomationTriggerSchema),
  disableConditions: optional(Type.Array(AutomationDisableConditionSchema)),
  _meta: optional(freeForm()),
});

/** Changes of a definition; what is absent stays as it is. */
export interface AutomationDefinitionPatch {
  /** Its name. */
  title?: string | undefined;
  /** What its sessions begin with. */
  message?: Message | undefined;
  /** What its sessions are like. */
  session?: AutomationSessionTemplate | undefined;
  /** Whether its triggers start runs. */
  enabled?: boolean | undefined;
  /** What starts runs. */
  triggers?: AutomationTrigger[] | undefined;
  /** When it disables itself. */
  disableConditions?: AutomationDisableCondition[] | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const AutomationDefinitionPatchSchema = object<AutomationDefinitionPatch>('AutomationDefinitionPatch', {
  title: optional(Type.String()),
  message: optional(MessageSchema),
  session: optional(AutomationSessionTemplateSchema),
  enabled: optional(Type.Boolean()),
  triggers: optional(Type.Array(AutomationTriggerSchema)),
  disableConditions: optional(Type.Array(AutomationDisableConditionSchema)),
  _meta: optional(freeForm()),
});
