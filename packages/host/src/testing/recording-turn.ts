import type { ChatInputRequest, ContentRef, Message, ToolCallResult } from '@moorage/protocol';
import {
  AgentError,
  type AgentEvent,
  type AgentTurn,
  type InputOutcome,
  type McpCallOutcome,
  NO_CUSTOMIZATIONS,
  type SpawnedChat,
  type ToolConfirmation,
  type ToolDecision,
} from '../ports/index.js';

/** What happens in a turn without a host. What is left out is approved, declined or not there. */
export interface TurnScript {
  /** The turn is a resumed one: the second life of the turn with this id. */
  readonly resumes?: string;
  /** A promise that never settles is a user who does not answer. */
  readonly confirm?: (request: ToolConfirmation) => ToolDecision | Promise<ToolDecision>;
  /** Answers questions; without it they are declined. */
  readonly ask?: (request: ChatInputRequest) => InputOutcome | Promise<InputOutcome>;
  /** Stands for a sub-agent; without it there are none. */
  readonly spawn?: (request: SpawnRequest) => SpawnedChat | Promise<SpawnedChat>;
  /** Messages that the user sends while the turn runs. */
  readonly steering?: readonly Message[];
}

type SpawnRequest = Parameters<AgentTurn['spawn']>[0];

let turns = 0;

/** A turn without a host: it records what an agent does, and answers as its script says. */
export class RecordingTurn implements AgentTurn {
  readonly turnId: string;
  readonly resumed: boolean;
  readonly message: Message;
  readonly signal: AbortSignal;
  readonly clientTools = [];
  readonly mcpTools = [];
  readonly tokens = { get: () => undefined, refused: () => {} };
  readonly events: AgentEvent[] = [];
  /** What the agent asked, in order. */
  readonly confirmations: ToolConfirmation[] = [];
  readonly questions: ChatInputRequest[] = [];
  readonly spawned: SpawnRequest[] = [];
  readonly #script: TurnScript;
  readonly #steering: Message[];
  readonly #denied = new Set<string>();
  readonly #cancel = new AbortController();

  constructor(text: string, script: TurnScript = {}) {
    this.turnId = script.resumes ?? `turn-${++turns}`;
    this.resumed = script.resumes !== undefined;
    this.message = { text, origin: { kind: 'user' } };
    this.signal = this.#cancel.signal;
    this.#script = script;
    this.#steering = [...(script.steering ?? [])];
  }

  /** All text that the agent has emitted. */
  get text(): string {
    return this.events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
  }

  /** All text that the agent has emitted, and what its tool calls ended with. */
  get said(): string {
    const results = this.events.map((event) => (event.kind === 'toolCallDone' ? JSON.stringify(event.result) : ''));
    return [this.text, ...results].join('\n');
  }

  /** The ids of tool calls that have started and not ended. A call that was not approved has ended. */
  get openCalls(): string[] {
    const done = new Set(this.events.flatMap((event) => (event.kind === 'toolCallDone' ? [event.toolCallId] : [])));
    const begun = this.events.flatMap((event) => (event.kind === 'toolCallStart' ? [event.toolCallId] : []));
    const asked = this.confirmations.map(({ toolCallId }) => toolCallId);
    return [...new Set([...begun, ...asked])].filter((id) => !done.has(id) && !this.#denied.has(id));
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

  async confirm(request: ToolConfirmation): Promise<ToolDecision> {
    this.confirmations.push(request);
    const answer = this.#script.confirm?.(request) ?? { approved: true };
    const decision = await this.#unlessCancelled<ToolDecision>(answer, { approved: false, reason: 'cancelled' });
    if (!decision.approved) this.#denied.add(request.toolCallId);
    return decision;
  }

  confirmResult(): Promise<{ approved: boolean }> {
    return Promise.resolve({ approved: true });
  }

  ask(request: ChatInputRequest): Promise<InputOutcome> {
    this.questions.push(request);
    return this.#unlessCancelled<InputOutcome>(this.#script.ask?.(request) ?? { response: 'decline' }, {
      response: 'cancel',
    });
  }

  callClientTool(): Promise<ToolCallResult> {
    return Promise.resolve(NOT_HERE);
  }

  callMcpTool(): Promise<McpCallOutcome> {
    return Promise.resolve({ kind: 'done', result: NOT_HERE });
  }

  filesRecorded(): Promise<void> {
    return Promise.resolve();
  }

  takeSteering(): Message | undefined {
    return this.#steering.shift();
  }

  async spawn(request: SpawnRequest): Promise<SpawnedChat> {
    this.spawned.push(request);
    if (!this.#script.spawn) throw new AgentError('notHere', 'There are no other chats here.');
    return this.#script.spawn(request);
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

  /** As a host answers: questions that are open when the turn is cancelled are cancelled with it. */
  #unlessCancelled<T>(answer: T | Promise<T>, cancelled: T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) resolve(cancelled);
      this.signal.addEventListener('abort', () => resolve(cancelled), { once: true });
      Promise.resolve(answer).then(resolve, reject);
    });
  }
}

const NOT_HERE: ToolCallResult = { success: false, pastTenseMessage: 'Failed', error: { message: 'It is not here.' } };
