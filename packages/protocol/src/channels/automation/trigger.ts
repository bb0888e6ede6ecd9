import { type ConfigSchema, ConfigSchemaSchema } from '../../common/config-schema.js';
import { type EnumValue, enumSchema, freeForm, named, object, optional } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';

/** What can start a run. */
export const AutomationTriggerKind = {
  Schedule: 'schedule',
  Event: 'event',
} as const;
export type AutomationTriggerKind = EnumValue<typeof AutomationTriggerKind>;
export const AutomationTriggerKindSchema = enumSchema('AutomationTriggerKind', AutomationTriggerKind);

/** What becomes of a run that was due while the host did not run. */
export const AutomationMisfirePolicy = {
  Skip: 'skip',
  RunOnce: 'runOnce',
} as const;
export type AutomationMisfirePolicy = EnumValue<typeof AutomationMisfirePolicy>;
export const AutomationMisfirePolicySchema = enumSchema('AutomationMisfirePolicy', AutomationMisfirePolicy);

/** Times by a clock on the wall. */
export interface AutomationSchedule {
  /** A cron expression with five fields: minute, hour, day of the month, month, day of the week. */
  expression: string;
  /** The time zone that they count in, such as `Europe/Berlin`. */
  timeZone: string;
}

export const AutomationScheduleSchema = object<AutomationSchedule>('AutomationSchedule', {
  expression: Type.String(),
  timeZone: Type.String(),
});

export interface AutomationScheduleTrigger {
  /** Unique within its automation. */
  id: string;
  kind: 'schedule';
  /** When it starts a run. */
  schedule: AutomationSchedule;
  /** What becomes of missed runs; without it, the host decides. */
  misfirePolicy?: AutomationMisfirePolicy | undefined;
}

export const AutomationScheduleTriggerSchema = object<AutomationScheduleTrigger>('AutomationScheduleTrigger', {
  id: Type.String(),
  kind: Type.Literal(AutomationTriggerKind.Schedule),
  schedule: AutomationScheduleSchema,
  misfirePolicy: optional(AutomationMisfirePolicySchema),
});

/** Something that can happen. */
export interface AutomationTriggerEventDefinition {
  /** Unique within its type. */
  id: string;
  /** The name for people. */
  title: string;
  /** When it happens. */
  description?: string | undefined;
}

export const AutomationTriggerEventDefinitionSchema = object<AutomationTriggerEventDefinition>(
  'AutomationTriggerEventDefinition',
  {
    id: Type.String(),
    title: Type.String(),
    description: optional(Type.String()),
  },
);

export interface AutomationEventTrigger {
  /** Unique within its automation. */
  id: string;
  kind: 'event';
  /** The type, as `listAutomationTriggerDefinitions` names it. */
  type: string;
  /** Its name for people. */
  title: string;
  /** What it means. */
  description?: string | undefined;
  /** Which of its events start a run. */
  events: AutomationTriggerEventDefinition[];
  /** Values of its settings, by name. */
  config?: Record<string, unknown> | undefined;
}

export const AutomationEventTriggerSchema = object<AutomationEventTrigger>('AutomationEventTrigger', {
  id: Type.String(),
  kind: Type.Literal(AutomationTriggerKind.Event),
  type: Type.String(),
  title: Type.String(),
  description: optional(Type.String()),
  events: Type.Array(AutomationTriggerEventDefinitionSchema),
  config: optional(freeForm()),
});

export const AutomationTriggerSchema = named(
  'AutomationTrigger',
  Type.Union([AutomationScheduleTriggerSchema, AutomationEventTriggerSchema]),
);
export type AutomationTrigger = Static<typeof AutomationTriggerSchema>;

/** A type of events that a host can react to. */
export interface AutomationTriggerDefinition {
  /** Its name for programs. */
  type: string;
  /** Its name for people. */
  title: string;
  /** What it means. */
  description?: string | undefined;
  /** What can happen. */
  events: AutomationTriggerEventDefinition[];
  /** Its settings. */
  configSchema?: ConfigSchema | undefined;
}

export const AutomationTriggerDefinitionSchema = object<AutomationTriggerDefinition>('AutomationTriggerDefinition', {
  type: Type.String(),
  title: Type.String(),
  description: optional(Type.String()),
  events: Type.Array(AutomationTriggerEventDefinitionSchema),
  configSchema: optional(ConfigSchemaSchema),
});
