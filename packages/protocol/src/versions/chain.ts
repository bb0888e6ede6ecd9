import type { ChannelKind } from '../channels/kind.js';
import { ROOT_URI } from '../channels/root/uri.js';
import {
  type AddressedAction,
  type Change,
  type Directory,
  inWire,
  type Notice,
  type WireDispatch,
} from './dialect.js';
import { actionForms } from './shared/pieces/in-actions.js';
import { noticeForms } from './shared/pieces/in-notices.js';
import { requestForms, resultForms } from './shared/pieces/in-requests.js';
import { type StateForms, stateForms } from './shared/pieces/in-states.js';
import { isKindUnknownTo, isUnknownTo } from './shared/since.js';
import { asObject, toWire, type WireAction, type WireObject } from './shared/wire.js';
import { States } from './states-around.js';
import { type About, type Around, type LiftedAction, type LookUp, Refusal, type Step } from './step.js';

/** A step with its forms worked out. */
interface Link {
  readonly step: Step;
  readonly states: StateForms;
  readonly actions: ReturnType<typeof actionForms>;
  readonly notices: ReturnType<typeof noticeForms>;
  readonly results: ReturnType<typeof resultForms>;
  readonly lift: {
    readonly states: StateForms;
    readonly actions: ReturnType<typeof actionForms>;
    readonly requests: ReturnType<typeof requestForms>;
  };
}

/** An action of a version, with what the version's translator may ask about it. */
export interface ChainedAction extends AddressedAction {
  readonly around: Around;
}

/** The way from the native version down to another one, and back up. */
export class Chain {
  readonly #steps: readonly Step[];
  /** Worked out with the first use: most hosts never hear from an older client. */
  #worked: readonly Link[] | undefined;
  /** The index of the first link that does something to an action; the number of links when none does. */
  readonly #firstLinks = new Map<string, number>();

  constructor(...steps: readonly Step[]) {
    this.#steps = steps;
  }

  get #links(): readonly Link[] {
    this.#worked ??= this.#steps.map(linkOf);
    return this.#worked;
  }

  state(kind: ChannelKind, native: object, about: About): WireObject {
    return this.#links.reduce((later, { states }) => states[kind]?.(later, about) ?? later, toWire(native));
  }

  /** Whether the version has channels of a kind. */
  has(kind: ChannelKind): boolean {
    const { version } = this.#links.at(-1)?.step ?? {};
    return version === undefined || !isKindUnknownTo(version, kind);
  }

  /** The actions of the version that a change becomes. */
  actions(change: Change, directory: Directory): readonly AddressedAction[] {
    const { channel, action } = change;
    const first = this.#firstLink(action.type);
    if (first === this.#links.length) return [{ channel, action: toWire(action) }];
    return this.#translate(change, first, new States(change, directory)).actions;
  }

  /** The same, with what a further step may ask about them. */
  chained(change: Change, directory: Directory): readonly ChainedAction[] {
    const { actions, states } = this.#translate(change, 0, new States(change, directory));
    return actions.map((each) => ({ ...each, around: states }));
  }

  /** What a further step may ask about any action that a change becomes. */
  around(change: Change, directory: Directory): Around {
    return this.#translate(change, this.#links.length, new States(change, directory)).states;
  }

  /** Whether the translation of a change does not depend on states that are not known. */
  isReplayable(change: Change, directory: Directory): boolean {
    if (this.#firstLink(change.action.type) === this.#links.length) return true;
    return !this.#translate(change, 0, new States(change, directory)).states.areNeeded;
  }

  notice(native: Notice, directory: Directory): Notice | undefined {
    return this.#links.reduce<Notice | undefined>(
      (later, link) => later && translateNotice(link, later, rootAbout(directory)),
      native,
    );
  }

  result(method: string, native: unknown, directory: Directory): unknown {
    if (typeof native !== 'object' || native === null) return native;
    return this.#links.reduce((later, { step, results }) => {
      const own = step.down.result?.(method, later) ?? later;
      return results.get(method)?.(own, rootAbout(directory)) ?? own;
    }, asObject(native));
  }

  request(method: string, params: WireObject, directory: Directory): WireObject {
    return this.#links.reduceRight((earlier, { step, lift }) => {
      const own = step.up.request?.(method, earlier, directory) ?? earlier;
      return lift.requests.get(method)?.(own, rootAbout(directory)) ?? own;
    }, params);
  }

  /** The native actions that an action of the version stands for, or why it stands for none. */
  lift({ channel, action }: WireDispatch, directory: LookUp, state?: WireObject): readonly LiftedAction[] | Refusal {
    let actions: readonly LiftedAction[] = [{ channel, action }];
    for (const { step, lift } of [...this.#links].reverse()) {
      const lifted = actions.map((each) => liftAction(step, lift.actions, each, { channel, directory, state }));
      const refusal = lifted.find((each) => each instanceof Refusal);
      if (refusal) return refusal;
      actions = lifted.flatMap((each) => (each instanceof Refusal ? [] : each));
    }
    return actions;
  }

  /** The native form of a state of the version. */
  liftState(kind: ChannelKind, state: WireObject, about: About): WireObject {
    return this.#links.reduceRight((earlier, { lift }) => lift.states[kind]?.(earlier, about) ?? earlier, state);
  }

  /** The native form of a session in a list of the version. */
  liftSummary(summary: WireObject, about: About): WireObject {
    return this.#links.reduceRight((earlier, { step }) => step.up.forms.summary?.(earlier, about) ?? earlier, summary);
  }

  /** Whether reducers of the version take the time of an action from their own clock. */
  readsClock(actionType: string): boolean {
    return this.#links.some(({ step }) => step.clockActions?.has(actionType));
  }

  /** Whether clients of the version must not send an action, because it came later. */
  refuses(actionType: string): boolean {
    const { version, up } = this.#links.at(-1)?.step ?? {};
    return version !== undefined && !up?.acceptsLaterActions && isUnknownTo(version, actionType);
  }

  #firstLink(type: string): number {
    const known = this.#firstLinks.get(type);
    if (known !== undefined) return known;
    const found = this.#links.findIndex(
      ({ step, actions }) =>
        step.down.actions[type] !== undefined || actions.has(type) || isUnknownTo(step.version, type),
    );
    const first = found < 0 ? this.#links.length : found;
    this.#firstLinks.set(type, first);
    return first;
  }

  #translate(change: Change, first: number, native: States): { actions: readonly AddressedAction[]; states: States } {
    let actions: readonly AddressedAction[] = [inWire(change)];
    let states = native;
    for (const [index, link] of this.#links.entries()) {
      if (index >= first) actions = actions.flatMap((each) => translateAction(link, each, states));
      states = new States(change, native.directory, states, link.states);
    }
    return { actions, states };
  }
}

/** The links of all chains; each step is part of several. */
const LINKS = new Map<Step, Link>();

function linkOf(step: Step): Link {
  const known = LINKS.get(step);
  if (known) return known;
  const { down, up } = step;
  const link = {
    step,
    states: stateForms(down.forms),
    actions: actionForms(down.forms),
    notices: noticeForms(down.forms),
    results: resultForms(down.forms),
    lift: {
      states: stateForms(up.forms),
      actions: actionForms(up.forms),
      requests: requestForms(up.forms),
    },
  };
  LINKS.set(step, link);
  return link;
}

/** First what the step says of the action, then the forms of its pieces. An unlisted action that came later is not sent. */
function translateAction(
  { step, actions: forms }: Link,
  { channel, action }: AddressedAction,
  states: States,
): readonly AddressedAction[] {
  const entry = step.down.actions[action.type];
  if (entry === 'absent' || (!entry && isUnknownTo(step.version, action.type))) return [];
  const own = entry ? entry(action, states) : action;
  const list = isList(own) ? own : [{ channel, action: withType(own, action) }];
  return list.flatMap((each) => {
    const form = forms.get(each.action.type);
    if (!form) return [each];
    const shown = form(each.action, { channel: each.channel, directory: states.directory });
    return shown ? [{ ...each, action: withType(shown, each.action) }] : [];
  });
}

function translateNotice({ step, notices }: Link, later: Notice, about: About): Notice | undefined {
  const own = step.down.notice ? step.down.notice(later) : later;
  const form = own && notices.get(own.method);
  if (!own || !form) return own;
  const params = form(own.params, about);
  return params && { ...own, params };
}

function liftAction(
  step: Step,
  forms: ReturnType<typeof actionForms>,
  earlier: LiftedAction,
  context: About,
): readonly LiftedAction[] | Refusal {
  const { channel, action, isRephrased } = earlier;
  const about = { ...context, channel };
  const entry = step.up.actions[action.type];
  const own = entry ? entry(action, about) : action;
  if (own instanceof Refusal) return own;
  const list = isList(own) ? own : [{ channel, action: withType(own, action) }];
  return list.map((each) => {
    const lifted = forms.get(each.action.type)?.(each.action, { ...about, channel: each.channel }) ?? each.action;
    const rephrased = isRephrased ?? each.isRephrased;
    return { ...each, action: withType(lifted, each.action), ...(rephrased && { isRephrased: true }) };
  });
}

function isList<T>(value: object | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

/** A rewritten action keeps its type, unless the rewriting gave it another one. */
function withType(action: WireObject, { type }: WireAction): WireAction {
  return typeof action.type === 'string' ? (action as WireAction) : { ...action, type };
}

function rootAbout(directory: Directory): About {
  return { channel: ROOT_URI, directory };
}
