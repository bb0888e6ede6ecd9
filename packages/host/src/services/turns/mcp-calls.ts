import { type ChatInputRequest, ExtensionMeta, isObject, type ToolCallResult } from '@moorage/protocol';
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

/** What an MCP tool call needs from its turn. */
export interface McpTurn extends Pick<AgentTurn, 'signal' | 'emit' | 'confirm' | 'storeContent'> {
  readonly clock: Clock;
  find(server: string, name: string): FoundTool;
  /** Whether the call was running when the host last stopped. */
  wasInterrupted(toolCallId: string): boolean;
  ask(request: ChatInputRequest): Promise<InputOutcome>;
  /** Closes a question that no longer needs an answer; does nothing if it is not open. */
  withdraw(requestId: string, response: 'accept' | 'cancel'): void;
}

/** One call of an MCP server's tool, with the same steps as any other call (B-245). */
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
        meta: { ...(ui && { ui }), ...(this.#onlyReads && { [ExtensionMeta.readOnlyHint]: true }) },
      }),
    };
  }

  get #words() {
    const subject = `${this.#displayName} (${this.#request.server})`;
    return { now: `Call ${subject}`, past: `Called ${subject}`, failed: `Could not call ${subject}` };
  }

  /** Whether to trust that the tool only reads: not if the server contradicts itself, nor if it is guarded. */
  get #onlyReads(): boolean {
    const found = this.#found;
    if (!('tool' in found) || found.run.declaration.isGuarded) return false;
    const { readOnlyHint, destructiveHint } = found.tool.annotations ?? {};
    return readOnlyHint === true && destructiveHint !== true;
  }

  /** Asks the user. Undefined if that is not necessary; the call is then shown as running. */
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
      for (const id of this.#asked) this.#turn.withdraw(id, 'cancel'); // the server may have died, or forgotten its questions
    }
  }

  /** If the call needs a token, waits for the user to grant access, then tries once more (B-243). */
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

  /** Shows progress a few times a second, however often the server reports it. */
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
          const why = 'wants a page opened in a browser first, which this host cannot do';
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

/** How to show the tool's MCP App; older servers name only the resource. */
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

const RESTARTED = 'The host was restarted while this was under way. It may have been done, in part, or not at all.';

/** The error code of a server that wants the user to open a page first. */
const URL_NEEDED = -32042;

/** UTF-16 units of a progress message. */
const MAX_PROGRESS_CHARS = 500;
