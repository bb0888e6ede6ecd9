import type { AgentTurn } from '@moorage/host/ports';
import type { ToolDefinition } from '@moorage/protocol';
import type { ToolResultPart } from 'ai';
import { abortable } from '../../shared/abortable.js';
import type { ChatGrants } from '../approval/grants.js';
import type { RequestedCall } from '../endpoint/answer.js';
import { resultPart } from '../history/messages.js';
import { charsOf } from '../history/tokens.js';
import { MAX_RESULT_CHARS } from '../limits.js';
import { cutMiddle } from '../tools/cut.js';
import { type CallAnswer, executeCall } from '../tools/execute.js';
import type { ModelTool, ToolEnv } from '../tools/tool.js';
import { callMcp } from './call-mcp.js';
import type { CallStream } from './call-stream.js';
import type { McpTools } from './mcp-tools.js';
import type { PendingStep } from './pending-step.js';
import { resultText } from './result-text.js';

export interface CallRun {
  readonly tools: ReadonlyMap<string, ModelTool>;
  readonly mcp: McpTools;
  readonly env: ToolEnv;
  readonly grants: ChatGrants;
  readonly stream: CallStream;
  readonly step: PendingStep;
  /** Tokens of a result that the model gets at most. */
  readonly resultTokens: number;
  /** The id by which the model knows a call. */
  modelId(index: number): string;
}

/** Runs the calls of one answer in parallel. Each gets a result, even if the turn is cancelled meanwhile. */
export function runCalls(run: CallRun): Promise<ToolResultPart[]> {
  const maxChars = Math.min(MAX_RESULT_CHARS, charsOf(run.resultTokens));
  return Promise.all(
    run.step.calls.map(async (call) => {
      const earlier = run.step.earlierResult(call.index);
      const { text, isError } = earlier ?? (await answerTo(call, run).catch(notDone(run.env.turn.signal)));
      if (!earlier) run.step.finish(call.index, { text, isError });
      return resultPart(run.modelId(call.index), call.name, cutMiddle(text || '(nothing)', maxChars), isError);
    }),
  );
}

async function answerTo(call: RequestedCall, { tools, mcp, env, grants, stream, step }: CallRun): Promise<CallAnswer> {
  const { turn } = env;
  await abortable(turn.signal, turn.goAhead());
  const toolCallId = stream.idOf(call.index);
  const tool = tools.get(call.name);
  if (step.wasInterrupted(call.index)) return interrupted(toolCallId, turn);
  const onStart = () => step.start(call.index);
  const clientTool = turn.clientTools.find(({ name }) => name === call.name);
  if (!tool && clientTool) return callClient(call, clientTool, toolCallId, turn, onStart);
  const mcpTool = mcp.get(call.name);
  if (mcpTool) return callMcp(call, mcpTool, toolCallId, { turn, grants, onStart });
  stream.callStart(call.index, call.name); // some endpoints send calls whole
  if (tool) return executeCall({ toolCallId, tool, input: call.input, onStart }, env, grants);
  const message = `There is no tool ${JSON.stringify(call.name)}. There are: ${[...tools.keys(), ...mcp.keys()].join(', ')}.`;
  const result = {
    success: false,
    pastTenseMessage: 'Called a tool that does not exist',
    error: { message, code: 'noSuchTool' },
  };
  turn.emit({ kind: 'toolCallDone', toolCallId, result });
  return { text: message, isError: true };
}

async function callClient(
  { input }: RequestedCall,
  { name }: ToolDefinition,
  toolCallId: string,
  turn: AgentTurn,
  onStart: () => void,
): Promise<CallAnswer> {
  if (typeof input !== 'object' || input === null) {
    return { text: `The input of ${name} is not a JSON object.`, isError: true };
  }
  onStart();
  const call = turn.callClientTool({ toolCallId, name, input: JSON.stringify(input) });
  const result = await abortable(turn.signal, call);
  return { text: resultText(result), isError: !result.success };
}

function interrupted(toolCallId: string, turn: AgentTurn): CallAnswer {
  const message = 'The host was restarted while this was under way. It may have been done, in part, or not at all.';
  const result = { success: false, pastTenseMessage: message, error: { message, code: 'hostRestarted' } };
  turn.emit({ kind: 'toolCallDone', toolCallId, result });
  return { text: `${message} Look before you do it again.`, isError: true };
}

function notDone(signal: AbortSignal): (error: unknown) => CallAnswer {
  return (error) => {
    if (!signal.aborted) throw error;
    return { text: 'Not finished: the user cancelled.', isError: true };
  };
}
