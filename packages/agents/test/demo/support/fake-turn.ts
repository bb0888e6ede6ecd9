import {
  type AgentEvent,
  type AgentTerminal,
  type AgentTurn,
  type InputOutcome,
  type McpCallOutcome,
  type McpCallRequest,
  NO_CUSTOMIZATIONS,
  type SpawnedChat,
  type TerminalOutcome,
  type TerminalRequest,
  type ToolConfirmation,
  type ToolDecision,
  type TurnOutcome,
} from '@moorage/host/ports';
import type { ChatInputRequest, ContentRef, Message, ToolCallResult, ToolDefinition } from '@moorage/protocol';
import { NOTIFICATIONS, REQUESTS } from '../../../src/demo/process/messages.js';

/** What the test's user and clients do; `'never'` leaves the agent waiting. */
export interface Script {
  readonly turnId?: string;
  readonly resumed?: boolean;
  readonly decide?: (request: ToolConfirmation) => ToolDecision | 'never';
  readonly answer?: (request: ChatInputRequest) => InputOutcome | 'never';
  readonly spawn?: (request: SpawnRequest) => SpawnedChat | Error | 'never';
  readonly clientTools?: readonly ToolDefinition[];
  readonly callClientTool?: (call: { name: string; input: string }) => ToolCallResult | 'never';
  readonly callMcpTool?: (call: McpCallRequest) => McpCallOutcome | 'never';
  readonly steering?: readonly string[];
  /** What a command writes and how it ends; without it there are no terminals. */
  readonly terminal?: (request: TerminalRequest) => { output: string; outcome: TerminalOutcome | 'never' };
  /** Sees every event right after it was recorded. */
  readonly onEvent?: (event: AgentEvent, turn: FakeTurn) => void;
}

interface SpawnRequest {
  readonly toolCallId: string;
  readonly title: string;
  readonly message: string;
}

type CallStatus = 'streaming' | 'waiting' | 'running' | 'done' | 'denied';

let lastTurn = 0;

/** A turn in memory. It plays the host's part, and notes everything that the port does not allow. */
export class FakeTurn implements AgentTurn {
  readonly turnId: string;
  readonly message: Message;
  readonly resumed: boolean;
  readonly clientTools: readonly ToolDefinition[];
  readonly tokens = { get: () => undefined, refused: () => {} };
  readonly mcpTools = [];
  readonly mcpCalls: McpCallRequest[] = [];
  readonly events: AgentEvent[] = [];
  readonly confirmations: ToolConfirmation[] = [];
  readonly questions: ChatInputRequest[] = [];
  readonly spawned: SpawnRequest[] = [];
  readonly commands: TerminalRequest[] = [];
  readonly released: string[] = [];
  readonly violations: string[] = [];
  readonly calls = new Map<string, CallStatus>();
  readonly #script: Script;
  readonly #abort = new AbortController();
  readonly #contents = new Map<string, Buffer>();
  readonly #steering: string[];
  readonly #waiters: { reached: () => boolean; resolve: () => void }[] = [];
  #ended = false;

  constructor(text: string, script: Script = {}) {
    lastTurn++;
    this.turnId = script.turnId ?? `turn${lastTurn}`;
    this.message = userMessage(text);
    this.resumed = script.resumed ?? false;
    this.clientTools = script.clientTools ?? [];
    this.#script = script;
    this.#steering = [...(script.steering ?? [])];
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get text(): string {
    return this.#textOf('text');
  }

  get reasoning(): string {
    return this.#textOf('reasoning');
  }

  get results(): ToolCallResult[] {
    return this.events.flatMap((event) => (event.kind === 'toolCallDone' ? [event.result] : []));
  }

  /** The kinds of events, runs of the same kind once. */
  get kinds(): string[] {
    return this.events.map((event) => event.kind).filter((kind, index, all) => kind !== all[index - 1]);
  }

  content(ref: ContentRef | undefined): string | undefined {
    return ref && this.#contents.get(ref.uri)?.toString();
  }

  cancel(): void {
    this.#abort.abort();
  }

  /** Waits until the agent has come so far. */
  async until(reached: (turn: FakeTurn) => boolean): Promise<void> {
    if (reached(this)) return;
    await new Promise<void>((resolve) => this.#waiters.push({ reached: () => reached(this), resolve }));
  }

  /** To be called with the outcome: what is open now would stay open. */
  end(outcome: TurnOutcome): void {
    this.#ended = true;
    for (const [id, status] of this.calls) {
      const open = status !== 'done' && status !== 'denied';
      if (open && outcome.kind === 'complete') this.violations.push(`call ${id} is ${status} in a complete turn`);
    }
  }

  customizations() {
    return Promise.resolve(NO_CUSTOMIZATIONS);
  }

  emit(event: AgentEvent): void {
    NOTIFICATIONS.emit.parse({ event });
    if (this.#ended) this.violations.push(`${event.kind} after the end`);
    this.#follow(event);
    this.events.push(event);
    this.#script.onEvent?.(event, this);
    this.#notice();
  }

  confirm(request: ToolConfirmation): Promise<ToolDecision> {
    REQUESTS.confirm.params.parse(request);
    const status = this.calls.get(request.toolCallId);
    if (status !== 'streaming' && !(this.resumed && status === undefined)) {
      this.violations.push(`confirm of a call that is ${status}`);
    }
    this.confirmations.push(request);
    const decision = this.#script.decide?.(request) ?? { approved: true };
    const next = decision === 'never' ? 'waiting' : decision.approved ? 'running' : 'denied';
    this.calls.set(request.toolCallId, next);
    return this.#promised(decision);
  }

  confirmResult(): Promise<{ approved: boolean }> {
    return Promise.resolve({ approved: true });
  }

  ask(request: ChatInputRequest): Promise<InputOutcome> {
    REQUESTS.ask.params.parse(request);
    this.questions.push(request);
    return this.#promised(this.#script.answer?.(request) ?? { response: 'decline' });
  }

  callClientTool(call: { toolCallId: string; name: string; input: string }): Promise<ToolCallResult> {
    if (this.calls.has(call.toolCallId)) this.violations.push(`call ${call.toolCallId} was started by the agent`);
    const result = this.#script.callClientTool?.(call) ?? 'never';
    this.calls.set(call.toolCallId, result === 'never' ? 'running' : 'done');
    return this.#promised(result);
  }

  callMcpTool(call: McpCallRequest): Promise<McpCallOutcome> {
    REQUESTS.callMcpTool.params.parse(call);
    if (this.calls.has(call.toolCallId)) this.violations.push(`call ${call.toolCallId} was started by the agent`);
    this.mcpCalls.push(call);
    const outcome = this.#script.callMcpTool?.(call) ?? {
      kind: 'done',
      result: { success: false, pastTenseMessage: 'Failed', error: { message: 'There is no MCP server' } },
    };
    this.calls.set(call.toolCallId, outcome === 'never' ? 'running' : 'done');
    return this.#promised(outcome);
  }

  filesRecorded(): Promise<void> {
    return Promise.resolve();
  }

  takeSteering(): Message | undefined {
    const text = this.#steering.shift();
    return text === undefined ? undefined : userMessage(text);
  }

  spawn(request: SpawnRequest): Promise<SpawnedChat> {
    if (this.calls.get(request.toolCallId) !== 'running') this.violations.push('spawn without a running call');
    this.spawned.push(request);
    const chat = this.#script.spawn?.(request) ?? 'never';
    return chat instanceof Error ? Promise.reject(chat) : this.#promised(chat);
  }

  storeContent(content: string | Uint8Array, contentType?: string): ContentRef {
    const bytes = Buffer.from(content);
    const uri = `content:${this.#contents.size}`;
    this.#contents.set(uri, bytes);
    return { uri, sizeHint: bytes.length, ...(contentType !== undefined && { contentType }) };
  }

  async createTerminal(request: TerminalRequest): Promise<AgentTerminal> {
    if (this.calls.get(request.toolCallId ?? '') !== 'running')
      this.violations.push('a terminal without a running call');
    if (!this.#script.terminal) throw new Error('no terminals here');
    this.commands.push(request);
    const { output, outcome } = this.#script.terminal(request);
    const resource = `ahp-terminal:/${this.commands.length}`;
    return {
      resource,
      output: () => ({ output, truncated: false }),
      wait: () => this.#promised(outcome),
      kill: () => {},
      release: () => void this.released.push(resource),
    };
  }

  attachTerminal(): Promise<AgentTerminal> {
    return Promise.reject(new Error('no terminals here'));
  }

  #follow(event: AgentEvent): void {
    if (!('toolCallId' in event)) return;
    const { kind, toolCallId } = event;
    const status = this.calls.get(toolCallId);
    const expected = { toolCallStart: undefined, toolCallInput: 'streaming', toolCallRunning: 'streaming' } as const;
    const wanted = kind in expected ? expected[kind as keyof typeof expected] : 'running';
    if (status !== wanted) this.violations.push(`${kind} of a call that is ${status}`);
    if (kind === 'toolCallStart') this.calls.set(toolCallId, 'streaming');
    if (kind === 'toolCallRunning') this.calls.set(toolCallId, 'running');
    if (kind === 'toolCallDone') this.calls.set(toolCallId, 'done');
  }

  #promised<T>(value: T | 'never'): Promise<T> {
    this.#notice();
    return value === 'never' ? new Promise(() => {}) : Promise.resolve(value);
  }

  #notice(): void {
    for (const waiter of this.#waiters.filter(({ reached }) => reached())) waiter.resolve();
  }

  #textOf(kind: 'text' | 'reasoning'): string {
    return this.events.map((event) => (event.kind === kind ? event.text : '')).join('');
  }
}

export function userMessage(text: string): Message {
  return { text, origin: { kind: 'user' } };
}
