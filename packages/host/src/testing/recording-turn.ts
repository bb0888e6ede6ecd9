import type { ContentRef, Message, ToolCallResult } from '@moorage/protocol';
import {
  AgentError,
  type AgentEvent,
  type AgentTurn,
  type InputOutcome,
  type McpCallOutcome,
  NO_CUSTOMIZATIONS,
  type ToolDecision,
} from '../ports/index.js';

let turns = 0;

/** A turn without a host: it records what an agent does, approves its tool calls and declines its questions. */
export class RecordingTurn implements AgentTurn {
  readonly turnId = `turn-${++turns}`;
  readonly resumed = false;
  readonly message: Message;
  readonly signal: AbortSignal;
  readonly clientTools = [];
  readonly mcpTools = [];
  readonly tokens = { get: () => undefined, refused: () => {} };
  readonly events: AgentEvent[] = [];
  readonly #cancel = new AbortController();

  constructor(text: string) {
    this.message = { text, origin: { kind: 'user' } };
    this.signal = this.#cancel.signal;
  }

  /** All text that the agent has emitted. */
  get text(): string {
    return this.events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
  }

  /** The ids of tool calls that have started and not ended. */
  get openCalls(): string[] {
    const done = new Set(this.events.flatMap((event) => (event.kind === 'toolCallDone' ? [event.toolCallId] : [])));
    const begun = this.events.flatMap((event) => (event.kind === 'toolCallStart' ? [event.toolCallId] : []));
    return begun.filter((id) => !done.has(id));
  }

  cancel(): void {
    this.#cancel.abort();
  }

  emit(event: AgentEvent): void {
    this.events.push(event);
  }

  customizations() {
    return Promise.resolve(NO_CUSTOMIZATIONS);
  }

  confirm(): Promise<ToolDecision> {
    return Promise.resolve({ approved: true });
  }

  confirmResult(): Promise<{ approved: boolean }> {
    return Promise.resolve({ approved: true });
  }

  ask(): Promise<InputOutcome> {
    return Promise.resolve({ response: 'decline' });
  }

  callClientTool(): Promise<ToolCallResult> {
    return Promise.resolve(NOT_HERE);
  }

  callMcpTool(): Promise<McpCallOutcome> {
    return Promise.resolve({ kind: 'done', result: NOT_HERE });
  }

  takeSteering(): undefined {
    return undefined;
  }

  spawn(): Promise<never> {
    return Promise.reject(new AgentError('notHere', 'There are no other chats here.'));
  }

  createTerminal(): Promise<never> {
    return Promise.reject(new AgentError('notHere', 'There are no terminals here.'));
  }

  attachTerminal(): Promise<never> {
    return this.createTerminal();
  }

  storeContent(): ContentRef {
    return { uri: `content:/${this.turnId}` };
  }
}

const NOT_HERE: ToolCallResult = { success: false, pastTenseMessage: 'Failed', error: { message: 'It is not here.' } };
