import { type EnumValue, enumSchema, freeForm, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type AutomationRunSummary, AutomationRunSummarySchema } from '../automation-run/state.js';
import { type PluginCustomization, PluginCustomizationSchema } from '../session/customization.js';
import { type AutomationDefinition, AutomationDefinitionSchema } from './definition.js';

/** What clients may do with an automation. */
export const AutomationOperation = {
  Update: 'update',
  Remove: 'remove',
  Run: 'run',
} as const;
export type AutomationOperation = EnumValue<typeof AutomationOperation>;
export const AutomationOperationSchema = enumSchema('AutomationOperation', AutomationOperation);

/** An automation as the host has it. */
export interface AutomationEntry {
  /** Its name among all automations. */
  resource: URI;
  /** What it does, and when. */
  definition: AutomationDefinition;
  /** When its schedules start the next run, as an ISO time. */
  nextRunAt?: string | undefined;
  /** How many runs it has begun. */
  runCount?: number | undefined;
  /** Its newest runs, the newest first. */
  runs: AutomationRunSummary[];
  /** Present if there are older runs: what `fetchAutomationRuns` asks for them with. */
  runsNextCursor?: string | undefined;
  /** What clients may do with it. */
  operations: AutomationOperation[];
  /** The plugins that its sessions get. */
  customizations?: PluginCustomization[] | undefined;
  /** When it was made, as an ISO time. */
  createdAt: string;
  /** When its definition last changed, as an ISO time. */
  modifiedAt: string;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const AutomationEntrySchema = object<AutomationEntry>('AutomationEntry', {
  resource: URISchema,
  definition: AutomationDefinitionSchema,
  nextRunAt: optional(Type.String()),
  runCount: optional(Type.Integer()),
  runs: Type.Array(AutomationRunSummarySchema),
  runsNextCursor: optional(Type.String()),
  operations: Type.Array(AutomationOperationSchema),
  customizations: optional(Type.Array(PluginCustomizationSchema)),
  createdAt: Type.String(),
  modifiedAt: Type.String(),
  _meta: optional(freeForm()),
});

/** The state of the automations channel. */
export interface AutomationState {
  /** All automations of the host. */
  entries: AutomationEntry[];
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const AutomationStateSchema = object<AutomationState>('AutomationState', {
  entries: Type.Array(AutomationEntrySchema),
  _meta: optional(freeForm()),
});
