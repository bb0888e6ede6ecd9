import type { actionTable } from '../channels/action-table.js';
import type { URI } from '../common/uri.js';
import type { AddressedAction, Change, DialectName, Directory, Notice } from './dialect.js';
import type { About, Forms, LookUp } from './shared/pieces/forms.js';
import type { WireAction, WireObject } from './shared/wire.js';

/**
 * The difference between two versions that follow each other: down from the later to the earlier one, and back up. A
 * step is in the folder of the version that it leads down to. A dialect is all the steps from the native version down to
 * it (`chain.ts`).
 */
export interface Step {
  readonly name: DialectName;
  /** The earlier of the two versions. */
  readonly version: string;
  readonly down: DownStep;
  readonly up: UpStep;
  /** Actions whose time the reducers of the earlier version, and of those before it, take from their own clock. */
  readonly clockActions?: ReadonlySet<string>;
}

interface DownStep {
  readonly forms: Forms;
  readonly actions: ActionSteps;
  /** The earlier version has no other notifications than those that this returns. Pieces get their forms besides. */
  notice?(notice: Notice): Notice | undefined;
  result?(method: string, result: WireObject): WireObject;
}

/** By action type; actions that are not listed are the same, but for their pieces, which get their forms. */
type ActionSteps = { readonly [type: string]: ActionStep | undefined };

/**
 * What the earlier version has instead of an action: nothing, one that is called the same, or any others. The result is
 * still in the later version's forms.
 */
type ActionStep = 'absent' | ((action: WireAction, around: Around) => WireObject | readonly AddressedAction[]);

/** What is known around an action. States are in the form of the later version, and made when somebody asks for them. */
export interface Around {
  readonly channel: URI;
  readonly directory: Directory;
  readonly native: Change;
  /** Undefined in a replay. */
  readonly before: WireObject | undefined;
  /** Undefined in a replay. */
  readonly after: WireObject | undefined;
  /** The session that the channel belongs to; in a replay as it is now. */
  readonly session: WireObject | undefined;
  /** Says that without the states a translation would be wrong, so that a replay takes a snapshot instead. */
  needsStates(): void;
}

interface UpStep {
  readonly forms: Forms;
  readonly actions: { readonly [type: string]: UpActionStep | undefined };
  request?(method: string, params: WireObject, directory: Directory): WireObject;
  /** Clients that say they speak the version are known to send actions that came later. */
  readonly acceptsLaterActions?: boolean;
}

/** What the later version has instead of an action. The result is still in the earlier version's forms. */
export type UpActionStep = (action: WireAction, about: About) => WireObject | readonly LiftedAction[] | Refusal;

/** Why an action stands for nothing. A class, because a client may send any members that it likes. */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export interface LiftedAction extends AddressedAction {
  /** See `UpwardAction`. */
  readonly isRephrased?: boolean;
}

export type { About, LookUp };

type Table = typeof actionTable;

/** The versions that have steps, with the values of `since` that each of them knows. */
interface Known {
  '0.4.0': '0.1.0' | '0.2.0' | '0.3.0' | '0.4.0';
  '0.5.0': Known['0.4.0'] | '0.5.0';
  '0.5.1': Known['0.5.0'] | '0.5.1';
  '0.5.2': Known['0.5.1'] | '0.5.2';
  '0.6.0': Known['0.5.2'] | '0.6.0';
  '0.7.0': Known['0.6.0'] | '0.7.0';
  '0.9.0': Known['0.7.0'] | '0.8.0' | '0.9.0';
  native: string;
}

type UnknownTo<V extends keyof Known, T> = {
  [A in keyof T]: T[A] extends { readonly since: Known[V] } ? never : A;
}[keyof T];

/**
 * The actions of a step from one version down to another: those that the earlier version does not know must be listed.
 * Whoever adds an action to the table has to say here what older versions see of it.
 */
export type StepActions<From extends keyof Known, To extends keyof Known, T = Table> = {
  readonly [A in Exclude<UnknownTo<To, T>, UnknownTo<From, T>>]: ActionStep;
} & { readonly [A in keyof T | LegacyActionType]?: ActionStep };

/** Actions that were called otherwise once. */
type LegacyActionType =
  | 'changeset/filesReviewedChanged'
  | 'session/activeClientChanged'
  | 'session/activeClientToolsChanged'
  | 'session/modelChanged'
  | 'session/agentChanged';
