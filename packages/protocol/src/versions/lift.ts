import type { ChannelKind } from '../channels/kind.js';
import type { ChannelStates } from '../channels/registry.js';
import { ROOT_URI } from '../channels/root/uri.js';
import type { SessionSummary } from '../channels/session/summary.js';
import type { StateAction } from '../channels/state-action.js';
import { isObject } from '../common/is-object.js';
import type { URI } from '../common/uri.js';
import { chain04 } from './chains.js';
import type { LookUp } from './shared/pieces/forms.js';
import type { WireAction, WireObject } from './shared/wire.js';
import { Refusal } from './step.js';

/** Where something of 0.4 comes from that becomes native. */
export interface LiftContext {
  readonly channel: URI;
  /** Native states, as far as they are lifted already. */
  readonly directory: LookUp;
}

/**
 * A state of 0.4, such as one in a store of that time, as a native one. Turns of the past have no times; what was asked
 * outside of a turn is dropped.
 */
export function liftState<K extends ChannelKind>(
  kind: K,
  state: WireObject,
  context: LiftContext & {
    /** For a chat: the `model` and the `agent` of its session, which it uses when it has none of its own. */
    readonly selection?: { readonly model?: unknown; readonly agent?: unknown } | undefined;
  },
): ChannelStates[K] {
  return chain04.liftState(kind, state, context) as unknown as ChannelStates[K];
}

/** A session in a list of 0.4. */
export function liftSummary(summary: WireObject, directory: LookUp): SessionSummary {
  return chain04.liftSummary(summary, { channel: ROOT_URI, directory }) as unknown as SessionSummary;
}

/** An action of 0.4, such as one in a log of that time, as native ones; perhaps none, perhaps on another channel. */
export function liftAction(
  action: WireAction,
  context: LiftContext & {
    /** The native state that the action is applied to. */
    readonly state?: WireObject | undefined;
    /** Who was active before an action that changes the active client; in 0.4 there was only one. */
    readonly previousClient?: string | undefined;
  },
): readonly { readonly channel: URI; readonly action: StateAction }[] {
  const { channel, directory, state, previousClient } = context;
  const lifted = chain04.lift({ channel, action }, directory, state);
  const actions = lifted instanceof Refusal ? [] : lifted;
  const hasLeft = action.type === 'session/activeClientChanged' && leaves(action, previousClient);
  const left = hasLeft ? [{ channel, action: { type: 'session/activeClientRemoved', clientId: previousClient } }] : [];
  const others = actions.filter(({ action: { type } }) => !hasLeft || type !== 'session/activeClientRemoved');
  return [...left, ...others].map((each) => ({ channel: each.channel, action: each.action as unknown as StateAction }));
}

function leaves({ activeClient }: WireAction, previous: string | undefined): boolean {
  return previous !== undefined && !(isObject(activeClient) && activeClient.clientId === previous);
}
