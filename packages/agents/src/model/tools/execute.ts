import { AgentError, type ToolDecision } from '@moorage/host/ports';
import { wordsOf } from '@moorage/protocol';
import { abortable } from '../../shared/abortable.js';
import { parseEdited } from '../../shared/edited-input.js';
import { ToolProblem } from '../../shared/tool-problem.js';
import { isGranted, optionsFor, remember } from '../approval/approval.js';
import type { ChatGrants } from '../approval/grants.js';
import type { ModelTool, Prepared, ToolEnv } from './tool.js';

/** A call of one of our tools, which clients already see. */
export interface OwnCall {
  readonly toolCallId: string;
  readonly tool: ModelTool;
  /** Undefined when it was not JSON. */
  readonly input: unknown;
  /** Called before it does anything that cannot be taken back. */
  onStart(): void;
}

/** What the model is told about a call. */
export interface CallAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Runs a call from validation to result, and asks the user if necessary. Rejects only when the turn is over. */
export async function executeCall(call: OwnCall, env: ToolEnv, grants: ChatGrants): Promise<CallAnswer> {
  const { signal } = env.turn;
  const shown = JSON.stringify(call.input ?? {}, undefined, 2);
  let prepared: Prepared | undefined;
  try {
    prepared = await abortable(signal, prepare(call, call.input, env));
    const decision = await ask(call, prepared, shown, env, grants);
    if (decision && !decision.approved) return denied(decision);
    const edited = decision?.toolInput;
    if (edited !== undefined && edited !== shown) prepared = await prepare(call, parseEdited(edited), env);
    // The grant covers what is done now, which the user may have edited.
    if (decision && prepared.approval) remember(decision.option?.id, prepared.approval, grants);
    return await perform(call, prepared, env);
  } catch (error) {
    signal.throwIfAborted();
    return refuse(call, shown, prepared, problemOf(error), env);
  }
}

function prepare({ tool, toolCallId }: OwnCall, input: unknown, env: ToolEnv): Promise<Prepared> {
  if (input === undefined) throw new ToolProblem('badInput', `The input of ${tool.name} is not valid JSON.`);
  return tool.prepare(input, env, toolCallId);
}

/** Undefined when nobody needs to be asked, and the call may run. */
async function ask(
  { toolCallId }: OwnCall,
  { words, approval, edits }: Prepared,
  toolInput: string,
  { turn }: ToolEnv,
  grants: ChatGrants,
): Promise<ToolDecision | undefined> {
  const invocationMessage = words.now;
  if (!approval || isGranted(approval, grants)) {
    const confirmed = approval ? 'setting' : 'not-needed';
    turn.emit({ kind: 'toolCallRunning', toolCallId, invocationMessage, toolInput, confirmed });
    return undefined;
  }
  const request = { toolCallId, invocationMessage, toolInput, title: `${words.now}?`, options: optionsFor(approval) };
  const asked = turn.confirm({ ...request, editable: true, ...(edits && { edits }) });
  return abortable(turn.signal, asked);
}

async function perform(
  { toolCallId, tool, onStart }: OwnCall,
  prepared: Prepared,
  { turn }: ToolEnv,
): Promise<CallAnswer> {
  if (!tool.isReadOnly) onStart();
  const { text, content = [{ type: 'text', text }], problem } = await prepared.run();
  const { past, failed } = prepared.words;
  // Edits are reported even if the turn was cancelled meanwhile; the host decides whether they still count.
  if (content.some(({ type }) => type === 'fileEdit')) turn.emit({ kind: 'toolCallContent', toolCallId, content });
  const result = { success: !problem, pastTenseMessage: problem ? failed : past, content };
  turn.emit({ kind: 'toolCallDone', toolCallId, result: { ...result, ...(problem && { error: problem }) } });
  return {
    text: problem && !text.includes(problem.message) ? `${problem.message}\n${text}` : text,
    isError: Boolean(problem),
  };
}

function refuse(
  { toolCallId, tool }: OwnCall,
  toolInput: string,
  prepared: Prepared | undefined,
  problem: ToolProblem,
  { turn }: ToolEnv,
): CallAnswer {
  const { message, code } = problem;
  if (!prepared) {
    turn.emit({ kind: 'toolCallRunning', toolCallId, invocationMessage: tool.displayName, toolInput });
  }
  const pastTenseMessage = prepared?.words.failed ?? `${tool.displayName}: ${message}`;
  const result = { success: false, pastTenseMessage, error: { message, code } };
  turn.emit({ kind: 'toolCallDone', toolCallId, result });
  return { text: message, isError: true };
}

/** The answer for a call that the user denied; the host has already closed it. */
export function denied(decision: Extract<ToolDecision, { approved: false }>): CallAnswer {
  const sentences = [decision.reason === 'skipped' ? 'The user skipped this call.' : 'The user did not allow this.'];
  if (decision.message !== undefined) sentences.push(`Reason: ${wordsOf(decision.message)}`);
  if (decision.suggestion) sentences.push(`The user suggests: ${decision.suggestion.text}`);
  sentences.push('Nothing was done. Do not try the same again; find another way, or ask.');
  return { text: sentences.join('\n'), isError: true };
}

/** Other errors are not written for users and may contain anything, so their text is not shown. */
function problemOf(error: unknown): ToolProblem {
  if (error instanceof ToolProblem) return error;
  if (error instanceof AgentError) return new ToolProblem(error.errorType, error.message, { cause: error });
  return new ToolProblem('toolFailed', 'The tool failed unexpectedly.', { cause: error });
}
