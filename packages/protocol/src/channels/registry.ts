import type { TSchema } from '../common/type.js';
import type { ActionOf } from './action-table.js';
import { reduceAnnotations } from './annotations/reducer.js';
import { type AnnotationsState, AnnotationsStateSchema } from './annotations/state.js';
import { sessionOfAnnotationsUri } from './annotations/uri.js';
import { reduceAutomation } from './automation/reducer.js';
import { type AutomationState, AutomationStateSchema } from './automation/state.js';
import { AUTOMATIONS_URI } from './automation/uri.js';
import { reduceAutomationRun } from './automation-run/reducer.js';
import { type AutomationRunState, AutomationRunStateSchema } from './automation-run/state.js';
import { automationRunUri } from './automation-run/uri.js';
import { fileRun } from './changeset/file-list.js';
import { reduceChangeset } from './changeset/reducer.js';
import { type ChangesetState, ChangesetStateSchema } from './changeset/state.js';
import { parseChangesetUri } from './changeset/uri.js';
import { appendRun } from './chat/append-text.js';
import { reduceChat } from './chat/reducer.js';
import { type ChatState, ChatStateSchema } from './chat/state.js';
import { chatUri } from './chat/uri.js';
import type { ChannelKind, StatelessChannelKind } from './kind.js';
import type { Reducer, ReducerEnv, Run, RunReducer } from './reducer.js';
import { reduceResourceWatch } from './resource-watch/reducer.js';
import { type ResourceWatchState, ResourceWatchStateSchema } from './resource-watch/state.js';
import { resourceWatchUri } from './resource-watch/uri.js';
import { reduceRoot } from './root/reducer.js';
import { type RootState, RootStateSchema } from './root/state.js';
import { ROOT_URI } from './root/uri.js';
import { reduceSession } from './session/reducer.js';
import { type SessionState, SessionStateSchema } from './session/state.js';
import { sessionUri } from './session/uri.js';
import { isTelemetryUri } from './telemetry/uri.js';
import { outputRun } from './terminal/output.js';
import { reduceTerminal } from './terminal/reducer.js';
import { type TerminalState, TerminalStateSchema } from './terminal/state.js';
import { terminalUri } from './terminal/uri.js';

/** The state of each kind of channel. */
export interface ChannelStates {
  /** The host. */
  root: RootState;
  /** A session. */
  session: SessionState;
  /** A conversation. */
  chat: ChatState;
  /** A terminal. */
  terminal: TerminalState;
  /** A view of changes. */
  changeset: ChangesetState;
  /** Comments on files. */
  annotations: AnnotationsState;
  /** A watch of files. */
  resourceWatch: ResourceWatchState;
  /** The automations of the host. */
  automation: AutomationState;
  /** A run of an automation. */
  automationRun: AutomationRunState;
}

/** What there is to know about one kind of channel. */
export interface ChannelRow<K extends ChannelKind = ChannelKind> {
  /** Whether a URI has the form of this kind. What a channel with a URI of no known form is, its host decides. */
  readonly matches: (uri: string) => boolean;
  /** The schema of its state. */
  readonly state: TSchema;
  /** What an action makes of its state. */
  readonly reduce: Reducer<ChannelStates[K], ActionOf<K>>;
  /** The same for many actions at once, where that is quicker. */
  readonly reduceRun?: RunReducer<ChannelStates[K], ActionOf<K>>;
}

/** The one place that knows what a channel kind is; nothing else switches on a URI scheme. */
export const channelRegistry: { readonly [K in ChannelKind]: ChannelRow<K> } = {
  root: { matches: (uri) => uri === ROOT_URI, state: RootStateSchema, reduce: reduceRoot },
  annotations: {
    matches: (uri) => sessionOfAnnotationsUri(uri) !== undefined,
    state: AnnotationsStateSchema,
    reduce: reduceAnnotations,
  },
  session: { matches: sessionUri.matches, state: SessionStateSchema, reduce: reduceSession },
  chat: { matches: chatUri.matches, state: ChatStateSchema, reduce: reduceChat, reduceRun: appendRun },
  terminal: { matches: terminalUri.matches, state: TerminalStateSchema, reduce: reduceTerminal, reduceRun: outputRun },
  changeset: {
    matches: (uri) => parseChangesetUri(uri) !== undefined,
    state: ChangesetStateSchema,
    reduce: reduceChangeset,
    reduceRun: fileRun,
  },
  resourceWatch: {
    matches: resourceWatchUri.matches,
    state: ResourceWatchStateSchema,
    reduce: reduceResourceWatch,
  },
  automation: { matches: (uri) => uri === AUTOMATIONS_URI, state: AutomationStateSchema, reduce: reduceAutomation },
  automationRun: {
    matches: automationRunUri.matches,
    state: AutomationRunStateSchema,
    reduce: reduceAutomationRun,
  },
};

const statelessMatchers: { readonly [K in StatelessChannelKind]: (uri: string) => boolean } = {
  telemetry: isTelemetryUri,
  mcp: isMcpUri,
};

/** Whether a URI names the side channel of an MCP server. */
export function isMcpUri(uri: string): boolean {
  return uri.startsWith('mcp://');
}

/** The kind of channel that a URI names by its form, or undefined when it has none of the protocol's forms. */
export function kindOfUri(uri: string): ChannelKind | StatelessChannelKind | undefined {
  for (const [kind, row] of Object.entries(channelRegistry)) if (row.matches(uri)) return kind as ChannelKind;
  for (const [kind, matches] of Object.entries(statelessMatchers))
    if (matches(uri)) return kind as StatelessChannelKind;
  return undefined;
}

/** The kind that an action type belongs to by its prefix (OQ-13), also for types that this version does not know. */
export function kindOfAction(type: string): ChannelKind | undefined {
  const prefix = type.slice(0, Math.max(0, type.indexOf('/'))); // empty without a slash
  return Object.hasOwn(channelRegistry, prefix) ? (prefix as ChannelKind) : undefined;
}

/**
 * The state after an action. Pure and total: it never mutates its input, never throws, whatever the action holds, and
 * returns the same object when nothing changes.
 */
export function reduce<K extends ChannelKind>(
  kind: K,
  state: ChannelStates[K],
  action: ActionOf<K>,
  env: ReducerEnv,
): ChannelStates[K] {
  try {
    return channelRegistry[kind].reduce(state, action, env);
  } catch {
    return state; // a malformed action must not end a process that mirrors it; every replica ignores it alike
  }
}

/** The state after many actions: the same as one by one, but runs of appends or upserts copy the state only once. */
export function reduceAll<K extends ChannelKind>(
  kind: K,
  state: ChannelStates[K],
  actions: readonly ActionOf<K>[],
  env: ReducerEnv,
): ChannelStates[K] {
  let current = state;
  for (let index = 0; index < actions.length; ) {
    const run = reduceRun(kind, current, actions, index);
    if (run) {
      current = run.state;
      index = run.end;
      continue;
    }
    const action = actions[index];
    if (action) current = reduce(kind, current, action, env);
    index++;
  }
  return current;
}

function reduceRun<K extends ChannelKind>(
  kind: K,
  state: ChannelStates[K],
  actions: readonly ActionOf<K>[],
  start: number,
): Run<ChannelStates[K]> | undefined {
  try {
    return channelRegistry[kind].reduceRun?.(state, actions, start);
  } catch {
    return undefined; // one by one, a malformed action is ignored alone
  }
}
