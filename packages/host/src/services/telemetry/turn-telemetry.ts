import { type ActionOf, sessionUri, type URI, type UsageInfo } from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { Clock } from '../../ports/clock.js';
import type { Telemetry, TelemetryAttributes, TelemetrySpan } from '../../ports/telemetry.js';
import type { HostContext } from '../context.js';
import { MAX_REMEMBERED_COSTS } from './limits.js';
import { type Cost, costOf, usageSince } from './usage.js';

type ChatAction = ActionOf<'chat'>;

interface LiveTurn {
  readonly span: TelemetrySpan;
  readonly attributes: TelemetryAttributes;
  readonly startedAt: number;
  readonly calls: Map<string, TelemetrySpan>;
  hasOutput: boolean;
  usage: UsageInfo;
}

/**
 * Reports spans, durations, tokens and cost of turns from committed actions: ids, names and numbers only, never the
 * text of messages.
 */
export class TurnTelemetry {
  readonly #telemetry: Telemetry;
  readonly #clock: Clock;
  readonly #context: HostContext;
  readonly #turns = new Map<URI, LiveTurn>();
  readonly #costs = new Map<URI, number>();

  constructor(context: HostContext, telemetry: Telemetry) {
    this.#context = context;
    this.#clock = context.clock;
    this.#telemetry = telemetry;
  }

  onSession({ channel, action }: Committed<'session'>): void {
    if (action.type !== 'session/ready' || !this.#telemetry.isOn) return;
    this.#telemetry.log('info', 'a session is ready', this.#aboutSession(channel));
  }

  onChat({ channel: chat, action, before }: Committed<'chat'>): void {
    if (!this.#telemetry.isOn && this.#turns.size === 0) return;
    if (action.type === 'chat/turnStarted') {
      this.#start(chat, action.turnId);
      return;
    }
    const turn = this.#turns.get(chat.uri);
    if (!turn) return;
    switch (action.type) {
      case 'chat/responsePart':
      case 'chat/toolCallStart':
        this.#firstOutput(turn);
        if (action.type === 'chat/toolCallStart') this.#startCall(turn, action);
        return;
      case 'chat/toolCallComplete':
        this.#endCall(turn, action.toolCallId, action.result.success ? undefined : 'failed');
        return;
      case 'chat/toolCallConfirmed':
        if (!action.approved) this.#endCall(turn, action.toolCallId, 'denied');
        return;
      case 'chat/usage':
        this.#count(chat.uri, turn, action.usage);
        return;
      case 'chat/turnComplete':
        this.#end(chat.uri, turn, 'complete');
        return;
      case 'chat/turnCancelled':
        this.#end(chat.uri, turn, 'cancelled');
        return;
      case 'chat/error':
        this.#end(chat.uri, turn, 'error', action.part.error.errorType);
        return;
      case 'chat/truncated':
        if (before.activeTurn && !chat.state.activeTurn) this.#end(chat.uri, turn, 'cancelled');
        return;
      default:
        return;
    }
  }

  #start(chat: Channel<'chat'>, turnId: string): void {
    if (!this.#telemetry.isOn) return;
    const session =
      chat.keeping.kind === 'durable' ? this.#context.door.channels.peek(chat.keeping.session) : undefined;
    const about = isKind(session, 'session') ? this.#aboutSession(session) : {};
    const attributes = { ...about, 'ahp.turn.id': turnId };
    const span = this.#telemetry.startSpan('turn', attributes);
    this.#turns.set(chat.uri, {
      span,
      attributes,
      startedAt: this.#clock.now(),
      calls: new Map(),
      hasOutput: false,
      usage: {},
    });
    this.#telemetry.log('info', 'a turn started', attributes);
  }

  #end(chat: URI, turn: LiveTurn, outcome: string, error?: string): void {
    this.#turns.delete(chat);
    for (const span of turn.calls.values()) span.end({ error: outcome });
    turn.span.end({
      error: outcome === 'error' ? (error ?? 'error') : undefined,
      attributes: { 'ahp.turn.outcome': outcome },
    });
    const { 'ahp.provider': provider } = turn.attributes;
    this.#telemetry.measure('ahp.turn.duration', this.#since(turn), {
      'ahp.provider': provider,
      'ahp.turn.outcome': outcome,
    });
    const level = outcome === 'error' ? 'warn' : 'info';
    this.#telemetry.log(level, `a turn ended: ${outcome}`, {
      ...turn.attributes,
      ...(error && { 'error.type': error }),
    });
  }

  #startCall(
    turn: LiveTurn,
    { toolCallId, toolName, contributor }: Extract<ChatAction, { type: 'chat/toolCallStart' }>,
  ): void {
    const attributes = {
      ...turn.attributes,
      'ahp.tool_call.id': toolCallId,
      'ahp.tool.name': toolName,
      'ahp.tool.contributor': contributor?.kind ?? 'agent',
    };
    turn.calls.set(toolCallId, this.#telemetry.startSpan('tool call', attributes, turn.span));
  }

  #endCall(turn: LiveTurn, toolCallId: string, error: string | undefined): void {
    turn.calls.get(toolCallId)?.end({ error });
    turn.calls.delete(toolCallId);
  }

  #firstOutput(turn: LiveTurn): void {
    if (turn.hasOutput) return;
    turn.hasOutput = true;
    const { 'ahp.provider': provider } = turn.attributes;
    this.#telemetry.measure('ahp.turn.first_output.duration', this.#since(turn), { 'ahp.provider': provider });
  }

  /** Agents report usage as a running total of the turn, so the difference is counted. */
  #count(chat: URI, turn: LiveTurn, usage: UsageInfo): void {
    const { 'ahp.session.id': session, 'ahp.provider': provider } = turn.attributes;
    const about = { 'ahp.session.id': session, 'ahp.provider': provider, 'ahp.model': usage.model };
    for (const [type, tokens] of usageSince(turn.usage, usage)) {
      this.#telemetry.count('ahp.session.tokens', tokens, { ...about, 'ahp.token.type': type });
    }
    turn.usage = usage;
    const cost = costOf(usage);
    if (cost) this.#countCost(chat, cost, about);
  }

  /** Agents report cost as a running total of the chat, over all its turns. */
  #countCost(chat: URI, { amount, currency }: Cost, about: TelemetryAttributes): void {
    const added = amount - (this.#costs.get(chat) ?? 0);
    this.#costs.delete(chat);
    this.#costs.set(chat, amount);
    const [oldest] = this.#costs.keys();
    if (this.#costs.size > MAX_REMEMBERED_COSTS && oldest !== undefined) this.#costs.delete(oldest);
    if (added > 0) this.#telemetry.count('ahp.session.cost', added, { ...about, 'ahp.currency': currency });
  }

  #since({ startedAt }: LiveTurn): number {
    return Math.max(0, this.#clock.now() - startedAt) / 1000;
  }

  #aboutSession({ uri, state }: Channel<'session'>): TelemetryAttributes {
    return { 'ahp.session.id': sessionUri.parse(uri) ?? uri, 'ahp.provider': state.provider };
  }
}
