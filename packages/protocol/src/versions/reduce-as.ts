import type { ChatState } from '../channels/chat/state.js';
import type { ChannelKind } from '../channels/kind.js';
import type { ReducerEnv } from '../channels/reducer.js';
import { reduce } from '../channels/registry.js';
import { isObject } from '../common/is-object.js';
import { SessionStatus, withActivity } from '../common/status.js';
import { selectionMembers } from './0.4/selection.js';
import type { Chain } from './chain.js';
import { chain04, chain06, chain07, chain09, chain050, chain051, chain052 } from './chains.js';
import type { DialectName } from './dialect.js';
import { dialectOf } from './negotiate.js';
import type { LookUp } from './shared/pieces/forms.js';
import { asList, asObject, defined, type WireAction, type WireObject, without } from './shared/wire.js';
import { Refusal } from './step.js';

const chains: { readonly [N in DialectName]?: Chain } = {
  '0.9': chain09,
  '0.7': chain07,
  '0.6': chain06,
  '0.5.2': chain052,
  '0.5.1': chain051,
  '0.5.0': chain050,
  '0.4': chain04,
};

/**
 * What a client of a version with chats shows after an action of that version: state and action are lifted, reduced
 * natively, and the result is translated back. For tests: a host translates what it has, and never lifts a whole state.
 */
export function reduceAs(
  version: string,
  kind: ChannelKind,
  state: WireObject,
  action: WireAction,
  env: ReducerEnv,
): WireObject {
  const name = dialectOf(version)?.name;
  if (name === '1.0') return reduceNatively(kind, state, action, env);
  const chain = name && chains[name];
  if (!chain) throw new RangeError(`states of ${version} cannot be lifted`);
  return kind === 'chat' && asksOutsideOfTurn(chain, state, action)
    ? withoutStandIn(new Replica(chain, kind, { ...state, activeTurn: STAND_IN }, env).reduce(action))
    : new Replica(chain, kind, state, env).reduce(action);
}

function reduceNatively(kind: ChannelKind, state: WireObject, action: WireAction, env: ReducerEnv): WireObject {
  return reduce(kind, state as never, action as never, env) as unknown as WireObject;
}

/** Holds what a version before 0.6 asks outside of a turn, which natively cannot be. */
const STAND_IN: WireObject = {
  id: 'ahp-turn:/none',
  message: { text: '', origin: { kind: 'user' } },
  responseParts: [],
};

function asksOutsideOfTurn(chain: Chain, chat: WireObject, { type }: WireAction): boolean {
  const isAsking = type === 'chat/inputRequested' || asList(chat.inputRequests).length > 0;
  return isAsking && !isObject(chat.activeTurn) && chain.readsClock('chat/inputRequested');
}

function withoutStandIn(chat: WireObject): WireObject {
  if (asObject(chat.activeTurn).id !== STAND_IN.id) return chat;
  const { activeTurn: _, ...others } = chat;
  const activity = others.inputRequests ? SessionStatus.InputNeeded : SessionStatus.Idle;
  return { ...others, status: withActivity(Number(others.status), activity) };
}

/** Stands for the default chat of a session that has none: 0.4 has the model of a session without one. */
const OWN_CHAT = 'ahp-chat:/'; // no chat has this URI

/** One channel of an older version, with what its native state does not hold. */
class Replica {
  readonly #chain: Chain;
  readonly #kind: ChannelKind;
  readonly #earlier: WireObject;
  readonly #env: ReducerEnv;
  readonly #channel: string;
  readonly #chatUri: string;
  readonly #directory: LookUp;
  #state: WireObject;
  #chat: WireObject;

  constructor(chain: Chain, kind: ChannelKind, earlier: WireObject, env: ReducerEnv) {
    this.#chain = chain;
    this.#kind = kind;
    this.#earlier = earlier;
    this.#env = env;
    const summary = asObject(earlier.summary);
    this.#channel = String(summary.resource ?? earlier.resource ?? `ahp-${kind}:/own`);
    this.#chatUri = typeof earlier.defaultChat === 'string' ? earlier.defaultChat : OWN_CHAT;
    this.#directory = {
      now: () => env.now(),
      session: () => (kind === 'session' ? (this.#state as never) : undefined),
      chat: (uri) => (kind === 'session' && uri === this.#channel ? undefined : this.#chatState()),
      sessionOfChat: () => undefined,
    };
    const about = { channel: this.#channel, directory: this.#directory };
    const { model, agent } = summary;
    const chat = { resource: this.#chatUri, title: '', status: 1, modifiedAt: '', turns: [] };
    this.#chat = chain.liftState('chat', { ...chat, ...defined('model', model), ...defined('agent', agent) }, about);
    const lifted = chain.liftState(kind, earlier, about);
    this.#state = kind === 'session' ? { ...lifted, defaultChat: this.#chatUri } : lifted;
  }

  reduce(action: WireAction): WireObject {
    const before = [this.#state, this.#chat];
    const lifted = this.#chain.lift({ channel: this.#channel, action }, this.#directory, this.#state);
    for (const each of lifted instanceof Refusal ? [] : lifted) {
      if (each.channel === this.#channel) this.#state = reduceNatively(this.#kind, this.#state, each.action, this.#env);
      else this.#chat = reduceNatively('chat', this.#chat, each.action, this.#env);
    }
    const isChanged = this.#state !== before[0] || this.#chat !== before[1];
    return this.#shown(isChanged && this.#chain.readsClock(action.type) ? this.#env.now() : undefined);
  }

  #chatState(): ChatState | undefined {
    return (this.#kind === 'chat' ? this.#state : this.#chat) as unknown as ChatState;
  }

  /** The state as the client shows it; `time` is when its own reducer says that it was modified. */
  #shown(time: number | undefined): WireObject {
    const about = { channel: this.#channel, directory: this.#directory };
    const shown = this.#chain.state(this.#kind, this.#state, about);
    if (this.#kind === 'chat')
      return time === undefined ? shown : { ...shown, modifiedAt: new Date(time).toISOString() };
    if (this.#kind !== 'session') return shown;
    const { defaultChat, ...session } = shown;
    const known = defaultChat === OWN_CHAT ? {} : defined('defaultChat', defaultChat);
    return { ...session, ...known, ...this.#summary(shown, time) };
  }

  /** What a session's native state does not say stays as it was, or is what its own chat says. */
  #summary({ summary }: WireObject, time: number | undefined): WireObject {
    if (summary === undefined) return {};
    const { createdAt, modifiedAt = createdAt, changes } = asObject(this.#earlier.summary);
    return {
      summary: {
        ...without(asObject(summary), 'model', 'agent'),
        ...selectionMembers(this.#chatState()),
        createdAt,
        modifiedAt: time ?? modifiedAt,
        ...defined('changes', changes),
      },
    };
  }
}
