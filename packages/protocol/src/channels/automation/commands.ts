import { rootParamsMembers } from '../../common/base-params.js';
import { freeForm, object, optional } from '../../common/schema.js';
import { type AnyObject, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type AutomationTriggerDefinition, AutomationTriggerDefinitionSchema } from './trigger.js';

const onAutomations = { channel: Type.Literal('ahp-automations://'), _meta: optional(freeForm()) };

export interface ListAutomationTriggerDefinitionsParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The agent of the sessions. */
  provider?: string | undefined;
  /** Their folders. */
  workingDirectories?: URI[] | undefined;
  /** Values of their settings, by name. */
  sessionConfig?: Record<string, unknown> | undefined;
}

export const ListAutomationTriggerDefinitionsParamsSchema = object<ListAutomationTriggerDefinitionsParams>(
  'ListAutomationTriggerDefinitionsParams',
  {
    ...rootParamsMembers,
    provider: optional(Type.String()),
    workingDirectories: optional(Type.Array(URISchema)),
    sessionConfig: optional(freeForm()),
  },
);

export interface ListAutomationTriggerDefinitionsResult {
  /** The types of events that can start runs. */
  items: AutomationTriggerDefinition[];
}

export const ListAutomationTriggerDefinitionsResultSchema = object<ListAutomationTriggerDefinitionsResult>(
  'ListAutomationTriggerDefinitionsResult',
  { items: Type.Array(AutomationTriggerDefinitionSchema) },
);

export interface RunAutomationParams {
  channel: 'ahp-automations://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The automation. */
  automation: URI;
  /** Names the request: however often it is sent, there is one run. */
  requestId: string;
}

export const RunAutomationParamsSchema = object<RunAutomationParams>('RunAutomationParams', {
  ...onAutomations,
  automation: URISchema,
  requestId: Type.String(),
});

export interface RunAutomationResult {
  /** The channel of the run. */
  resource: URI;
}

export const RunAutomationResultSchema = object<RunAutomationResult>('RunAutomationResult', { resource: URISchema });

export interface FetchAutomationRunsParams {
  channel: 'ahp-automations://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The automation. */
  automation: URI;
  /** Its `runsNextCursor`. */
  cursor?: string | undefined;
}

export const FetchAutomationRunsParamsSchema = object<FetchAutomationRunsParams>('FetchAutomationRunsParams', {
  ...onAutomations,
  automation: URISchema,
  cursor: optional(Type.String()),
});

/** Empty: before the answer, the host sets the automation with the older runs. */
export type FetchAutomationRunsResult = AnyObject;

export const FetchAutomationRunsResultSchema = object<FetchAutomationRunsResult>('FetchAutomationRunsResult', {});
