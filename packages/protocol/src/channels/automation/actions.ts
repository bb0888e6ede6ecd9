import { object } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import {
  type AutomationDefinition,
  type AutomationDefinitionPatch,
  AutomationDefinitionPatchSchema,
  AutomationDefinitionSchema,
} from './definition.js';
import { type AutomationEntry, AutomationEntrySchema } from './state.js';

/** Asks for a new automation, which the host then sets. */
export interface AutomationCreateRequestedAction {
  type: 'automation/createRequested';
  /** The URI of the new automation, chosen by the client. */
  resource: URI;
  /** What it does, and when. */
  definition: AutomationDefinition;
}

export const AutomationCreateRequestedActionSchema = object<AutomationCreateRequestedAction>(
  'AutomationCreateRequestedAction',
  {
    type: Type.Literal('automation/createRequested'),
    resource: URISchema,
    definition: AutomationDefinitionSchema,
  },
);

/** Asks for changes of an automation, which the host then sets. */
export interface AutomationUpdateRequestedAction {
  type: 'automation/updateRequested';
  /** The automation. */
  resource: URI;
  /** What changes. */
  changes: AutomationDefinitionPatch;
}

export const AutomationUpdateRequestedActionSchema = object<AutomationUpdateRequestedAction>(
  'AutomationUpdateRequestedAction',
  {
    type: Type.Literal('automation/updateRequested'),
    resource: URISchema,
    changes: AutomationDefinitionPatchSchema,
  },
);

export interface AutomationSetAction {
  type: 'automation/set';
  /** The automation to add, or to replace the one with its URI. */
  automation: AutomationEntry;
}

export const AutomationSetActionSchema = object<AutomationSetAction>('AutomationSetAction', {
  type: Type.Literal('automation/set'),
  automation: AutomationEntrySchema,
});

export interface AutomationRemovedAction {
  type: 'automation/removed';
  /** The automation. */
  resource: URI;
}

export const AutomationRemovedActionSchema = object<AutomationRemovedAction>('AutomationRemovedAction', {
  type: Type.Literal('automation/removed'),
  resource: URISchema,
});
