import type { AgentEvent, ToolConfirmation } from '@moorage/host/ports';
import { fields, text } from '../../shared/untrusted.js';
import { sayContent } from './content.js';
import { MAX_CALLS, MAX_ID_CHARS, MAX_SAID_CHARS } from './limits.js';
import { confirmationOptions } from './permission.js';
import { Plan } from './plan.js';
import type { MappingPorts } from './ports.js';
import { ToolCall } from './tool-call.js';
import { Trouble } from './trouble.js';
import { addTokens, type Gauge, growth, readGauge, sum, type Tokens, tokensIn, usageOf } from './usage.js';

/** How a turn ended, which decides how open calls are closed. */
export type TurnEnd = 'complete' | 'cancelled' | 'failed';

/** What the user is asked, after the events, about a call. */
export interface Question {
  readonly confirmation: ToolConfirmation;
  readonly events: readonly AgentEvent[];
  readonly call: ToolCall;
}

/**
 * Turns an agent's reports in a turn into events of the host, and does nothing else: the same reports always give the same
 * events. Reports are untrusted; what makes no sense is ignored.
 */
export class TurnMapper {
  readonly #ports: MappingPorts;
  /** By the agent's id; the newest, where the agent asked more than once about a call. */
  readonly #calls = new Map<string, ToolCall>();
  /** Commands that no call of the agent shows. */
  readonly #commands: ToolCall[] = [];
  /** The ids that clients know calls by. */
  readonly #ids = new Set<string>();
  readonly #plan = new Plan();
  readonly #trouble = new Trouble();
  #gauge: Gauge | undefined;
  #tokens: Tokens = {};
  /** What the earlier prompts of this turn used. */
  #usedEarlier: Tokens = {};
  #lastSaid: { readonly kind: string; readonly messageId: string | undefined } | undefined;

  constructor(ports: MappingPorts) {
    this.#ports = ports;
  }

  /** What an agent had used before this turn that counts tokens over its whole session; undefined for any other. */
  usedBefore: Tokens | undefined;

  /** The text that the agent has said so far: the newest part of it. */
  said = '';

  /** Why the turn failed, if the agent reported that elsewhere than in its answer. */
  get failure(): string | undefined {
    return this.#trouble.failure;
  }

  /** Whether a command was still running when the agent last reported. */
  get hasRunningCall(): boolean {
    return [...this.#calls.values()].some(({ stage, kind }) => stage === 'running' && kind === 'execute');
  }

  /** The events of one session update. */
  update(params: unknown): AgentEvent[] {
    const update = fields(params);
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#tokens = addTokens(this.#tokens, update._meta);
        if (this.#trouble.takes(fields(update.content), text(update.messageId))) return [];
        return this.#say('text', update.content, text(update.messageId));
      case 'agent_thought_chunk':
        return this.#say('reasoning', update.content, text(update.messageId));
      case 'tool_call':
      case 'tool_call_update':
        return this.#closing(this.#toolCall(update));
      case 'plan':
        return this.#closing(this.#plan.update(update.entries));
      case 'usage_update':
        this.#gauge = { ...this.#gauge, ...readGauge(update) };
        return [];
      case 'session_info_update':
        return this.#closing(this.#trouble.update(update));
      default:
        return [];
    }
  }

  /** The content of a call as the agent last sent it. */
  contentOf(toolCallId: unknown): readonly unknown[] {
    return this.#calls.get(text(toolCallId) ?? '')?.content ?? [];
  }

  /**
   * The question for the user; undefined when the request makes no sense. A call that the user was asked about before is
   * asked about under a new id, so that no answer to the earlier question can count for this one.
   */
  permission(params: unknown): Question | undefined {
    const { toolCall, options } = fields(params);
    const request = fields(toolCall);
    const agentId = text(request.toolCallId);
    const known = agentId ? this.#call(agentId, request) : undefined;
    if (!agentId || !known || this.#ids.size >= MAX_CALLS) return undefined;
    const call = known.isSettled ? known.again(this.#newId(agentId)) : known;
    const events = known.isSettled ? known.close(true, '') : [];
    this.#calls.set(agentId, call);
    const edits = call.ask(request);
    this.#lastSaid = undefined;
    const choices = confirmationOptions(options);
    const confirmation = {
      ...call.description,
      identity: call.identity,
      title: call.description.invocationMessage,
      ...(edits.length > 0 && { edits }),
      ...(choices.length > 0 && { options: choices }),
    };
    return { confirmation, events, call };
  }

  /** Tokens that count for this turn, although they were used before it. */
  usedEarlier(tokens: Parameters<typeof sum>[1]): void {
    this.#usedEarlier = sum(this.#usedEarlier, tokens);
  }

  /** The agent gets another prompt within the turn: what it says now is no part of what it said before. */
  nextPrompt(): void {
    if (this.#lastSaid) this.#lastSaid = { ...this.#lastSaid, messageId: EARLIER_PROMPT };
  }

  /** A prompt is over, and usually the turn: closes what the agent left open, and reports what it used. */
  end(end: TurnEnd, result?: unknown): AgentEvent[] {
    const message = end === 'cancelled' ? 'The turn was cancelled.' : 'The agent ended before this was done.';
    const calls = [...this.#calls.values(), ...this.#commands].flatMap((call) =>
      call.close(end === 'complete', message),
    );
    const counted = tokensIn(result);
    const used = this.usedBefore ? growth(counted, this.usedBefore) : counted;
    if (this.usedBefore && counted) this.usedBefore = counted;
    // An agent that usually counts tokens and has none to report could not use its model.
    if (end === 'complete' && (this.#gauge || this.usedBefore) && !used) this.#trouble.believeLastWords();
    const reported = Object.keys(this.#tokens).length > 0 ? this.#tokens : undefined;
    this.#tokens = {};
    this.#usedEarlier = sum(this.#usedEarlier, used ?? reported ?? {});
    const ofTurn = Object.keys(this.#usedEarlier).length > 0 ? this.#usedEarlier : undefined;
    return [...calls, ...this.#plan.close(), ...usageOf(result, this.#gauge, ofTurn)];
  }

  #say(kind: 'text' | 'reasoning', content: unknown, messageId: string | undefined): AgentEvent[] {
    const last = this.#lastSaid;
    const goesOn = last?.kind === kind;
    const said = sayContent(kind, fields(content), this.#ports);
    const events = goesOn ? said : said.flatMap(withoutLeadingLines);
    if (events.length === 0) return [];
    this.#lastSaid = { kind, messageId };
    const spaced = goesOn && last.messageId !== messageId ? events.map(afterGap) : events;
    for (const event of spaced) if (event.kind === 'text') this.said = (this.said + event.text).slice(-MAX_SAID_CHARS);
    return spaced;
  }

  #toolCall(update: ReturnType<typeof fields>): AgentEvent[] {
    const toolCallId = text(update.toolCallId);
    if (!toolCallId) return [];
    const isNew = !this.#calls.has(toolCallId);
    const call = this.#call(toolCallId, update);
    if (!call) return [];
    const events = call.update(update);
    return isNew ? [call.start(), ...events] : events;
  }

  /** A command in a terminal of the host that no call of the agent shows, as a call of its own. */
  command({ terminalId, line }: { readonly terminalId: string; readonly line: string }): AgentEvent[] {
    const id = this.#newId('command');
    const first = { kind: 'execute', name: 'terminal', title: line, rawInput: { command: line } };
    const call = new ToolCall(id, first, this.#ports);
    this.#commands.push(call);
    const content = [{ type: 'terminal', terminalId }];
    return this.#closing([call.start(), ...call.update({ ...first, content, status: 'in_progress' })]);
  }

  #call(toolCallId: string, first: ReturnType<typeof fields>): ToolCall | undefined {
    const known = this.#calls.get(toolCallId);
    if (known || this.#calls.size >= MAX_CALLS) return known;
    const call = new ToolCall(this.#newId(toolCallId), first, this.#ports);
    this.#calls.set(toolCallId, call);
    return call;
  }

  /** An id that no other call of the turn has. */
  #newId(wanted: string): string {
    const short = wanted.slice(0, MAX_ID_CHARS);
    let id = short;
    for (let n = 2; this.#ids.has(id); n++) id = `${short}~${n}`;
    this.#ids.add(id);
    return id;
  }

  #closing(events: AgentEvent[]): AgentEvent[] {
    if (events.length > 0) this.#lastSaid = undefined;
    return events;
  }
}

/** No agent gives a message this id. */
const EARLIER_PROMPT = '\0earlier prompt';

/** Some agents start everything they say with empty lines, or with an empty heading. */
function withoutLeadingLines(event: AgentEvent): AgentEvent[] {
  if (event.kind !== 'text' && event.kind !== 'reasoning') return [event];
  const text = event.text.replace(/^(?:\*{4})?\n+/, '');
  return text === '' ? [] : [{ ...event, text }];
}

/** A message that directly follows another becomes a new paragraph. */
function afterGap(event: AgentEvent): AgentEvent {
  return event.kind === 'text' || event.kind === 'reasoning' ? { ...event, text: `\n\n${event.text}` } : event;
}
