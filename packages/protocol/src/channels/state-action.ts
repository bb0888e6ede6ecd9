import { named } from '../common/schema.js';
import { Type } from '../common/type.js';
import { type ActionOf, actionTable } from './action-table.js';
import type { ChannelKind } from './kind.js';

/** Any action of any state-bearing channel. */
export type StateAction = ActionOf<ChannelKind>;

export const StateActionSchema = named(
  'StateAction',
  Type.Unsafe<StateAction>(Type.Union(Object.values(actionTable).map((row) => row.schema))),
);

/** The actions of one kind of channel each. */
export type RootAction = ActionOf<'root'>;
export type SessionAction = ActionOf<'session'>;
export type TerminalAction = ActionOf<'terminal'>;
export type ChangesetAction = ActionOf<'changeset'>;
export type AnnotationsAction = ActionOf<'annotations'>;
export type ResourceWatchAction = ActionOf<'resourceWatch'>;
export type AutomationAction = ActionOf<'automation'>;
export type AutomationRunAction = ActionOf<'automationRun'>;
