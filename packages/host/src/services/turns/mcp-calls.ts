import { type ChatInputRequest, isObject, type ToolCallResult } from '@ahpd/protocol';
import type { ToolCallIdentity } from '../../ports/agent-events.js';
import type { InputOutcome } from '../../ports/agent-questions.js';
import type { McpCallOutcome, McpCallRequest } from '../../ports/agent-tools.js';
import type { AgentTurn } from '../../ports/agent-turn.js';
import type { Clock } from '../../ports/clock.js';
import { McpError, type McpTool, type McpToolCall, type McpToolResult } from '../../ports/mcp.js';
import { accessNeeded, answerTo, questionsOf } from '../mcp/elicitation.js';
import { PROGRESS_MS } from '../mcp/limits.js';
import type { FoundTool } from '../mcp/mcp-service.js';
import type { Caller } from '../mcp/running-calls.js';
import type { ServerRun } from '../mcp/server-run.js';
import { resultOf } from '../mcp/tool-result.js';

/** What calls of MCP tools need of the turn that they are a part of. */
export interface McpTurn extends Pick<AgentTurn, 'signal' | 'emit' | 'confirm' | 'storeContent'> {
  readonly clock: Clock;
  find(server: string, name: string): FoundTool;
  /** Whether the call was under way when an earlier life of the host ended. */
  wasInterrupted(toolCallId: string): boolean;
  ask(request: ChatInputRequest): Promise<InputOutcome>;
  /** The question has answered itself, or nobody wants the answer any more; nothing when it is not open. */
  withdraw(requestId: string, response: 'accept' | 'cancel'): void;
}

/** A call of a tool of an MCP server, through the same steps as any other (B-245). */
export class McpCall {
  readonly #request: McpCallRequest;
  readonly #turn: McpTurn;
  readonly #found: FoundTool;
  readonly #displayName: string;
  readonly #asked = new Set<string>();
  #questions = 0;

  constructor(request: McpCallRequest, turn: McpTurn) {
    this.#request = request;
    this.#turn = turn;
    this.#found = turn.find(request.server, request.name);
    this.#displayName = ('tool' in this.#found ? this.#found.tool.title : undefined) ?? request.name;
  }

  async run(): Promise<McpCallOutcome> {
    const { toolCallId, input } = this.#request;
    const { signal, emit } = this.#turn;
    emit({ kind: 'toolCallStart', ...this.#identity });
    if (this.#turn.wasInterrupted(toolCallId)) return this.#fail(RESTARTED, 'hostRestarted');
    const found = this.#found;
    if ('problem' in found) {
      this.#running(input);
      return this.#fail(found.problem, found.run ? 'notReady' : 'noSuchServer');
    }
    const decision = await this.#approval();
    if (decision && !decision.approved) return { kind: 'denied', decision };
    const approved = readObject(decision?.toolInput ?? input);
    if (!approved) return this.#fail('The input is not a JSON object.', 'badInput');
    if (signal.aborted) return this.#fail('The turn was cancelled.', 'cancelled');
    this.#request.onStart?.();
    const outcome = await this.#perform(found.run, approved);
    return { ...outcome, ...(decision?.option && { option: decision.option }) };
  }

  get #identity(): ToolCallIdentity {
    const { toolCallId, name } = this.#request;
    const { run } = this.#found;
    const tool = 'tool' in this.#found ? this.#found.tool : undefined;
    const ui = tool && uiOf(tool);
    return {
      toolCallId,
      toolName: name,
      displayName: this.#displayName,
      ...(run && { contributor: { kind: 'mcp', customizationId: run.declaration.id } }),
      ...((ui || this.#onlyReads) && {
        meta: { ...(ui && { ui }), ...(this.#onlyReads && { readOnlyHint: true }) },
      }),
    };
  }

  get #words() {
    const subject = `${this.#displayName} (${this.#request.server})`;
    return { now: `Call ${subject}`, past: `Called ${subject}`, failed: `Could not call ${subject}` };
  }

  /** A server that contradicts itself, or that was brought along by something else, is not believed. */
  get #onlyReads(): boolean {
    const found = this.#found;
    if (!('tool' in found) || found.run.declaration.isGuarded) return false;
    const { readOnlyHint, destructiveHint } = found.tool.annotations ?? {};
    return readOnlyHint === true && destructiveHint !== true;
  }

  /** Undefined when nobody needs to be asked; then the call runs. */
  async #approval() {
    const { toolCallId, input, isAllowed, options } = this.#request;
    if (this.#onlyReads || isAllowed) {
      this.#running(input, this.#onlyReads ? 'not-needed' : 'setting');
      return undefined;
    }
    const { now } = this.#words;
    const request = { toolCallId, invocationMessage: now, toolInput: input, title: `${now}?`, editable: true };
    return this.#turn.confirm({ ...request, ...(options && { options }) });
  }

  #running(toolInput: string, confirmed: 'not-needed' | 'setting' = 'not-needed'): void {
    const { toolCallId } = this.#request;
    this.#turn.emit({ kind: 'toolCallRunning', toolCallId, invocationMessage: this.#words.now, toolInput, confirmed });
  }

  async #perform(run: ServerRun, input: Readonly<Record<string, unknown>>) {
    const call = { name: this.#request.name, input, signal: this.#turn.signal, onProgress: this.#progress() };
    try {
      return this.#done(await this.#withAccess(run, call));
    } catch (error) {
      const { message, code } = this.#problemOf(error);
      return this.#fail(message, code);
    } finally {
      for (const id of this.#asked) this.#turn.withdraw(id, 'cancel'); // a server may die, or forget what it asked
    }
  }

  /** A call that needs a token waits for the user to give one, then is made once more (B-243). */
  async #withAccess(run: ServerRun, call: McpToolCall): Promise<McpToolResult> {
    try {
      return await run.callTool(call, this.#caller);
    } catch (error) {
      if (!(error instanceof McpError) || error.failure.kind !== 'authRequired') throw error;
      const isScope = error.failure.challenge.reason === 'insufficientScope';
      const request = accessNeeded(this.#nextQuestion(), this.#request.server, isScope);
      void run.whenReady(this.#turn.signal).then(() => this.#turn.withdraw(request.id, 'accept'));
      const { response } = await this.#turn.ask(request);
      if (response !== 'accept' || run.state.kind !== 'ready') throw error;
      return run.callTool(call, this.#caller);
    }
  }

  get #caller(): Caller {
    return {
      elicit: async (request, signal) => {
        const questions = questionsOf(this.#nextQuestion(), this.#request.server, request);
        this.#asked.add(questions.id);
        signal.addEventListener('abort', () => this.#turn.withdraw(questions.id, 'cancel'), { once: true });
        return answerTo(await this.#turn.ask(questions));
      },
    };
  }

  #nextQuestion(): string {
    return `${this.#request.toolCallId}-${++this.#questions}`;
  }

  /** Servers may report as often as they like; people read a few times a second. */
  #progress(): McpToolCall['onProgress'] {
    const { clock, emit } = this.#turn;
    const { toolCallId } = this.#request;
    let shownAt = Number.NEGATIVE_INFINITY;
    return ({ progress, total, message }) => {
      const now = clock.now();
      if (now - shownAt < PROGRESS_MS && progress !== total) return;
      shownAt = now;
      const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
      const text = message === undefined ? count : `${message.slice(0, MAX_PROGRESS_CHARS)} (${count})`;
      emit({ kind: 'toolCallContent', toolCallId, content: [{ type: 'text', text }] });
    };
  }

  #done(given: McpToolResult) {
    const result = resultOf(given, this.#words, this.#turn.storeContent);
    this.#turn.emit({ kind: 'toolCallDone', toolCallId: this.#request.toolCallId, result });
    return { kind: 'done', result } as const;
  }

  #fail(message: string, code: string) {
    const result: ToolCallResult = { success: false, pastTenseMessage: this.#words.failed, error: { message, code } };
    this.#turn.emit({ kind: 'toolCallDone', toolCallId: this.#request.toolCallId, result });
    return { kind: 'done', result } as const;
  }

  #problemOf(error: unknown): { message: string; code: string } {
    const { server } = this.#request;
    if (this.#turn.signal.aborted) return { message: 'The turn was cancelled.', code: 'cancelled' };
    if (!(error instanceof McpError)) return { message: 'The tool failed unexpectedly.', code: 'toolFailed' };
    const { failure, message } = error;
    switch (failure.kind) {
      case 'refused':
        if (failure.code === URL_NEEDED) {
          const why = 'asks to open a page in a browser first, which this host does not do';
          return { message: `The MCP server "${server}" ${why}.`, code: 'urlElicitation' };
        }
        return { message, code: 'refused' };
      case 'authRequired':
        return { message: `${message} Nothing was done.`, code: 'authRequired' };
      case 'timeout':
        return { message: `The MCP server "${server}" did not answer in time.`, code: 'timeout' };
      default:
        return { message: `The MCP server "${server}" failed while the tool ran: ${message}.`, code: 'serverFailed' };
    }
  }
}

/** What an App is shown with; older servers name only the resource. */
function uiOf({ meta = {} }: McpTool): Record<string, unknown> | undefined {
  const { ui, 'ui/resourceUri': resourceUri } = meta;
  if (typeof ui === 'object' && ui !== null) return ui as Record<string, unknown>;
  return typeof resourceUri === 'string' ? { resourceUri } : undefined;
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const RESTARTED = 'The host was restarted while this was under way. It may be done, in part, or not at all.';

/** The code with which a server says that somebody must open a page first. */
const URL_NEEDED = -32042;

/** UTF-16 units of what a server says about its progress. */
const MAX_PROGRESS_CHARS = 500;
