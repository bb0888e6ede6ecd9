import {
  type ActionOf,
  type ActiveTurn,
  type ChatInputRequest,
  type ErrorInfo,
  ExtensionMeta,
  type Message,
  openRequests,
  type ToolCallResult,
  type ToolCallState,
  type ToolDefinition,
  type Turn,
} from '@moorage/protocol';
import { steeringPart } from '@moorage/protocol/internal';
import type { Channel } from '../../core/channel.js';
import { AgentError, type TurnOutcome } from '../../ports/agent.js';
import type { AgentEvent } from '../../ports/agent-events.js';
import type { InputOutcome, ToolConfirmation, ToolDecision } from '../../ports/agent-questions.js';
import type { AgentTerminal } from '../../ports/agent-terminals.js';
import type { McpCallOutcome, McpCallRequest } from '../../ports/agent-tools.js';
import type { AgentTurn, SpawnedChat } from '../../ports/agent-turn.js';
import type { TurnTerminals } from '../terminals/turn-terminals.js';
import { bounded, boundedEvent } from './bounded-input.js';
import { CallDurations } from './call-durations.js';
import { findCall, type MapperState, mapConfirmation, mapEvent } from './event-mapper.js';
import { type Append, GatheredAppends } from './gathered-appends.js';
import { McpCall } from './mcp-calls.js';
import { cancelled, completed, failed } from './turn-ends.js';
import { answerIn, decisionOf, failure, outcomeOf, runningCalls, withWholeInput } from './turn-outcomes.js';
import type { TurnRunHost } from './turn-run-host.js';
import { Waiting } from './waiting.js';

type ChatAction = ActionOf<'chat'>;

/**
 * One turn while an agent works on it: turns the agent's events into actions, and passes users' decisions to the agent.
 */
export class TurnRun {
  readonly turnId: string;
  readonly resumed: boolean;
  readonly chat: Channel<'chat'>;
  readonly #host: TurnRunHost;
  readonly #abort = new AbortController();
  readonly #decisions = new Waiting<ToolDecision>();
  readonly #resultDecisions = new Waiting<{ approved: boolean }>();
  readonly #answers = new Waiting<InputOutcome>();
  readonly #clientResults = new Waiting<ToolCallResult>();
  /** Calls that were running when the host stopped: how far they got is unknown. */
  readonly #interrupted: ReadonlySet<string>;
  readonly #durations: CallDurations;
  readonly #appends: GatheredAppends;
  #filesRecorded: Promise<void> = Promise.resolve();
  #mapper: MapperState = {};
  #isFinished = false;

  constructor(chat: Channel<'chat'>, turnId: string, resumed: boolean, host: TurnRunHost) {
    this.turnId = turnId;
    this.resumed = resumed;
    this.chat = chat;
    this.#host = host;
    this.#durations = new CallDurations(host.clock);
    this.#appends = new GatheredAppends(host.clock, (action) => this.#commitNow(action));
    this.#interrupted = new Set(resumed ? runningCalls(this.#parts) : []);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** With `awaitsGoAhead`, the agent waits for the files by itself. */
  async begin(awaitsGoAhead: boolean): Promise<void> {
    this.#filesRecorded = this.#host.recordFiles();
    this.#filesRecorded.catch(() => {}); // whoever waits for it hears of it
    await Promise.all([this.#host.begin(this.signal), awaitsGoAhead || this.#filesRecorded]);
  }

  filesRecorded(): Promise<void> {
    return this.#filesRecorded;
  }

  end(): Promise<void> {
    return this.#host.end();
  }

  /** The turn in the form the agent gets it. */
  forAgent(message: Message): AgentTurn {
    const { model, agent, config } = this.#host.selection();
    return {
      turnId: this.turnId,
      message: this.#host.present(message),
      resumed: this.resumed,
      model,
      agent,
      config,
      signal: this.signal,
      clientTools: [...this.#clientTools().values()].map(({ tool }) => tool),
      tokens: this.#host.tokens,
      customizations: () => this.#host.customizations(),
      mcpTools: this.#host.mcp.tools(),
      emit: (event) => this.#emit(event),
      confirm: (request, withdrawn) =>
        this.#withdrawing(
          withdrawn,
          () => this.#confirm(request),
          () => this.#skip(request),
        ),
      confirmResult: (toolCallId, result) => this.#confirmResult(toolCallId, result),
      ask: (request, withdrawn) =>
        this.#withdrawing(
          withdrawn,
          () => this.#ask(request),
          () => this.#withdraw(request.id, 'cancel'),
        ),
      callClientTool: (call) => this.#callClientTool(call),
      callMcpTool: (call) => this.#callMcpTool(call),
      goAhead: () => this.#goAhead(),
      takeSteering: () => this.#takeSteering(),
      spawn: (request) => this.#spawn(request),
      createTerminal: (request) => this.#withTerminals((terminals) => terminals.create(request)),
      attachTerminal: (request) => this.#withTerminals((terminals) => terminals.attach(request)),
      storeContent: this.#host.storeContent,
    };
  }

  async #goAhead(): Promise<void> {
    if (!(await this.#mayAct()))
      throw new AgentError('filesNotRecorded', 'It could not be recorded how the files are. Nothing was done.');
  }

  /** Once it is known how the files are and the host lets agents act. False if the former failed: then the turn ends. */
  async #mayAct(): Promise<boolean> {
    try {
      await this.#filesRecorded;
    } catch {
      return false;
    }
    await this.#host.goAhead(this.signal);
    return true;
  }

  /** Stops the turn from outside: the agent is aborted, and what it still emits is ignored. */
  stop(): void {
    this.#appends.drop();
    this.#abort.abort();
    this.#settleWaiting();
    this.#host.terminals?.kill();
  }

  /** Commits what the agent has said up to now. */
  flush(): void {
    this.#appends.flush();
  }

  #settleWaiting(): void {
    this.#decisions.settleAll({ approved: false, reason: 'cancelled' });
    this.#resultDecisions.settleAll({ approved: false });
    this.#answers.settleAll({ response: 'cancel' });
    this.#clientResults.settleAll(failure('The turn was cancelled'));
  }

  /** The agent is done. Ends the turn with its outcome, unless it has ended already. */
  finish(outcome: TurnOutcome): void {
    const turn = this.chat.state.activeTurn;
    if (turn) this.#commit(this.#endOf(turn, outcome));
    this.#appends.drop();
    this.#isFinished = true;
    this.#settleWaiting();
    if (outcome.kind === 'complete') this.#host.terminals?.release();
    else this.#host.terminals?.kill();
  }

  #endOf(turn: ActiveTurn, outcome: TurnOutcome): ChatAction {
    const now = this.#host.clock.now();
    if (outcome.kind === 'complete') return completed(turn, now);
    if (outcome.kind === 'cancelled') return cancelled(turn, now);
    return failed(turn, this.#withoutTokens(outcome.error), now);
  }

  /** Error messages often quote the request that failed, tokens included. Throws for what is not an error to show. */
  #withoutTokens(error: ErrorInfo): ErrorInfo {
    const isWhole = [error.errorType, error.message].every((text) => typeof text === 'string');
    if (!isWhole) throw new TypeError('the agent reported an error without a type or a message');
    return { ...error, message: this.#host.tokens.redact(error.message) };
  }

  /** Whether the turn is over: events are ignored and questions are not asked any more. */
  get #isOver(): boolean {
    return this.#isFinished || this.signal.aborted;
  }

  /** Handles an action of a user or client that the agent may be waiting for. */
  react(action: ChatAction): void {
    switch (action.type) {
      case 'chat/toolCallConfirmed': {
        const call = findCall(this.#parts, action.toolCallId);
        const decision = call && decisionOf(call);
        if (action.approved) this.#runs(action.toolCallId);
        if (decision) this.#decisions.settle(action.toolCallId, decision);
        return;
      }
      case 'chat/toolCallResultConfirmed':
        this.#resultDecisions.settle(action.toolCallId, { approved: action.approved });
        return;
      case 'chat/toolCallComplete':
        if (action.requiresResultConfirmation) void this.#afterConfirmation(action.toolCallId, action.result);
        else this.#clientResults.settle(action.toolCallId, action.result);
        return;
      default:
        return;
    }
  }

  /** An input request was completed. `request` is its last state, with the drafts that clients shared. */
  answered(request: ChatInputRequest, action: Extract<ChatAction, { type: 'chat/inputCompleted' }>): void {
    this.#answers.settle(request.id, outcomeOf(action.response, { ...request.answers, ...action.answers }));
  }

  /** The client asked the user to confirm that the agent may use its result. */
  async #afterConfirmation(toolCallId: string, result: ToolCallResult): Promise<void> {
    const { approved } = await this.#resultDecisions.wait(toolCallId);
    this.#clientResults.settle(toolCallId, approved ? result : failure('The user did not allow the result to be used'));
  }

  get #parts(): Turn['responseParts'] {
    const turn = this.chat.state.activeTurn;
    return turn?.id === this.turnId ? turn.responseParts : [];
  }

  #commit(action: ChatAction): void {
    this.#appends.flush();
    this.#commitNow(action);
  }

  #commitNow(action: ChatAction): void {
    // Checked too, because a client can reuse the id of an earlier turn.
    if (this.#isOver || this.chat.state.activeTurn?.id !== this.turnId) return;
    this.#host.commit(this.#durations.stamped(action, this.#parts));
  }

  #emit(event: AgentEvent): void {
    if (event.kind === 'toolCallRunning') this.#runs(event.toolCallId);
    if (!APPENDING.has(event.kind)) this.flush(); // it may depend on the text before it
    const fitting = boundedEvent(event, this.#host.storeContent);
    const { state, actions } = mapEvent(this.#mapper, fitting, this.turnId, this.#parts);
    this.#mapper = state;
    for (const action of actions) {
      if (isAppend(action)) this.#appends.add(action);
      else this.#commit(action);
    }
  }

  #runs(toolCallId: string): void {
    if (!this.#interrupted.has(toolCallId)) this.#durations.runs(toolCallId);
  }

  #confirm(request: ToolConfirmation): Promise<ToolDecision> {
    if (this.#isOver) return Promise.resolve({ approved: false, reason: 'cancelled' });
    this.flush();
    // The user has not seen this request, so the answer to the other one must not count for it.
    if (this.#decisions.has(request.toolCallId)) return Promise.resolve({ approved: false, reason: 'skipped' });
    const before = findCall(this.#parts, request.toolCallId);
    const answered = this.resumed && before ? decisionOf(before) : undefined;
    if (answered) return Promise.resolve(withWholeInput(answered, request));
    const question = bounded(request, this.#host.storeContent);
    for (const action of mapConfirmation(this.turnId, question, this.#parts)) this.#commit(action);
    this.#mapper = {}; // later text comes after the call
    this.#durations.waits(request.toolCallId);
    const call = findCall(this.#parts, request.toolCallId);
    if (call?.status === 'pending-confirmation') {
      return this.#decided(request.toolCallId, before).then((decision) => withWholeInput(decision, request));
    }
    // The call is over, or was never started, so the user cannot be asked.
    return Promise.resolve((call && decisionOf(call)) ?? { approved: false, reason: 'skipped' });
  }

  /** Asking cleared the content that a running call had shown (OQ-61); restored on approval. */
  async #decided(toolCallId: string, before: ToolCallState | undefined): Promise<ToolDecision> {
    const decision = await this.#decisions.wait(toolCallId);
    if (decision.approved && !(await this.#mayAct())) return { approved: false, reason: 'cancelled' };
    if (decision.approved && before?.status === 'running' && before.content) {
      this.#emit({ kind: 'toolCallContent', toolCallId, content: before.content });
    }
    return decision;
  }

  /** Asks, and drops the question if the agent withdraws it. */
  async #withdrawing<T>(withdrawn: AbortSignal | undefined, ask: () => Promise<T>, drop: () => void): Promise<T> {
    const answer = ask();
    if (withdrawn?.aborted) drop();
    withdrawn?.addEventListener('abort', drop, { once: true });
    try {
      return await answer;
    } finally {
      withdrawn?.removeEventListener('abort', drop);
    }
  }

  #skip({ toolCallId }: ToolConfirmation): void {
    if (findCall(this.#parts, toolCallId)?.status !== 'pending-confirmation') return;
    const reasonMessage = 'The agent no longer waits for an answer.';
    const { turnId } = this;
    this.#commit({
      type: 'chat/toolCallConfirmed',
      turnId,
      toolCallId,
      approved: false,
      reason: 'skipped',
      reasonMessage,
    });
    this.#decisions.settle(toolCallId, { approved: false, reason: 'skipped' });
  }

  #confirmResult(toolCallId: string, result: ToolCallResult): Promise<{ approved: boolean }> {
    if (this.#isOver) return Promise.resolve({ approved: false });
    this.#commit({
      type: 'chat/toolCallComplete',
      turnId: this.turnId,
      toolCallId,
      result,
      requiresResultConfirmation: true,
    });
    return this.#resultDecisions.wait(toolCallId);
  }

  #ask(request: ChatInputRequest): Promise<InputOutcome> {
    if (this.#isOver) return Promise.resolve({ response: 'cancel' });
    const before = this.resumed ? answerIn(this.#parts, request.id) : undefined;
    if (before) return Promise.resolve(before);
    if (!this.#isOpen(request.id)) this.#commit({ type: 'chat/inputRequested', request });
    return this.#answers.wait(request.id);
  }

  async #callClientTool(call: { toolCallId: string; name: string; input: string }): Promise<ToolCallResult> {
    if (!(await this.#mayAct()) || this.#isOver) return failure('The turn has ended');
    const offered = this.#clientTools().get(call.name);
    if (!offered) return failure(`No active client offers the tool "${call.name}"`);
    const { clientId, tool } = offered;
    const { toolCallId, name, input } = call;
    const displayName = tool.title ?? name;
    const contributor = { kind: 'client', clientId } as const;
    const meta = tool.annotations?.readOnlyHint ? { meta: { [ExtensionMeta.readOnlyHint]: true } } : {};
    this.#emit({ kind: 'toolCallStart', toolCallId, toolName: name, displayName, contributor, ...meta });
    this.#emit({ kind: 'toolCallRunning', toolCallId, invocationMessage: displayName, toolInput: input });
    const result = this.#clientResults.wait(toolCallId);
    const fail = (message: string) => this.#emit({ kind: 'toolCallDone', toolCallId, result: failure(message) });
    const unwatch = this.#host.watchClientTool(clientId, fail);
    return result.finally(unwatch);
  }

  /** The tools of all active clients by name. Of two with one name it is that of the client that became active last. */
  #clientTools(): ReadonlyMap<string, { readonly clientId: string; readonly tool: ToolDefinition }> {
    const offered = this.#host
      .activeClients()
      .flatMap(({ clientId, tools }) => tools.map((tool) => ({ clientId, tool })));
    return new Map(offered.map((offer) => [offer.tool.name, offer]));
  }

  async #callMcpTool(call: McpCallRequest): Promise<McpCallOutcome> {
    if (!(await this.#mayAct()) || this.#isOver) return { kind: 'done', result: failure('The turn has ended') };
    const { clock } = this.#host;
    const { find } = this.#host.mcp;
    const turn = {
      signal: this.signal,
      wasInterrupted: (toolCallId: string) => this.#interrupted.has(toolCallId),
      clock,
      find,
      emit: (event: AgentEvent) => this.#emit(event),
      confirm: (request: ToolConfirmation) => this.#confirm(request),
      storeContent: this.#host.storeContent,
      ask: (request: ChatInputRequest) => this.#ask(request),
      withdraw: (requestId: string, response: 'accept' | 'cancel') => this.#withdraw(requestId, response),
    };
    return new McpCall(call, turn).run();
  }

  #withdraw(requestId: string, response: 'accept' | 'cancel'): void {
    if (this.#isOpen(requestId)) this.#commit({ type: 'chat/inputCompleted', requestId, response });
  }

  #isOpen(requestId: string): boolean {
    return openRequests(this.chat.state).some(({ id }) => id === requestId);
  }

  #spawn(request: Parameters<AgentTurn['spawn']>[0]): Promise<SpawnedChat> {
    if (this.#isOver) return Promise.reject(new AgentError('turnEnded', 'The turn has ended.'));
    return this.#host.spawn(request, this.signal);
  }

  async #withTerminals(
    use: (terminals: TurnTerminals) => AgentTerminal | Promise<AgentTerminal>,
  ): Promise<AgentTerminal> {
    await this.#goAhead();
    if (this.#isOver) throw new AgentError('turnEnded', 'The turn has ended.');
    const { terminals } = this.#host;
    if (!terminals) throw new AgentError('terminalsNotServed', 'This host has no terminals. Nothing was run.');
    return use(terminals);
  }

  #takeSteering(): Message | undefined {
    const pending = this.#isOver ? undefined : this.chat.state.steeringMessage;
    if (pending) {
      this.#commit({ type: 'chat/pendingMessageRemoved', kind: 'steering', id: pending.id });
      // It stays where it was heard: what was said is never lost.
      this.#commit({ type: 'chat/responsePart', turnId: this.turnId, part: steeringPart(pending) });
      this.#mapper = {}; // later text comes after it
    }
    return pending && this.#host.present(pending.message);
  }
}

/** Events that only add to what is there. */
const APPENDING: ReadonlySet<string> = new Set<AgentEvent['kind']>(['text', 'reasoning', 'toolCallInput']);

function isAppend(action: ChatAction): action is Append {
  return action.type === 'chat/delta' || action.type === 'chat/reasoning' || action.type === 'chat/toolCallDelta';
}
