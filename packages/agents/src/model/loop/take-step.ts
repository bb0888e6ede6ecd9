import type { RequestedCall } from '../endpoint/answer.js';
import type { Exchange } from '../history/conversation.js';
import { assistantMessage, callPart } from '../history/messages.js';
import { type ReadStep, type SavedStep, savableMessages } from '../history/saved-state.js';
import { RESULT_SHARE } from '../limits.js';
import { CallStream } from './call-stream.js';
import { nextAnswer } from './next-answer.js';
import { PendingStep } from './pending-step.js';
import { runCalls } from './run-calls.js';
import type { TurnContext } from './run-turn.js';

/** Asks the model once and runs its calls. Returns whether it is done. */
export async function takeStep(run: TurnContext, step: number): Promise<boolean> {
  const { turn, exchange, own, mcp } = run;
  const stream = new CallStream(turn, own, mcp, step);
  const answer = await nextAnswer(run, stream).catch((error: unknown) => {
    // The model must know that it said what users have already read.
    if (stream.said.trim() !== '') exchange.messages.push(assistantMessage([{ type: 'text', text: stream.said }]));
    throw error;
  });
  run.usage.add(answer.usage, { fillsContext: true });
  const calls = answer.calls.map(({ index, name, input }) => callPart(modelId(exchange, step, index), name, input));
  const content = [...answer.content, ...calls];
  if (content.length > 0) exchange.messages.push(assistantMessage(content));
  if (answer.calls.length > 0) {
    await finishCalls(run, step, stream, new PendingStep(turn, answer.calls, keeping(run, step, answer.calls)));
    return false;
  }
  if (answer.finishReason === 'length') {
    turn.emit({ kind: 'notice', text: 'The answer was cut off: it reached the limit of tokens for one answer.' });
  }
  if (answer.finishReason === 'content-filter') {
    turn.emit({ kind: 'notice', text: 'The answer was cut off by the content filter of the model endpoint.' });
  }
  return true;
}

/** Continues with the calls of a step that was waiting when the host was restarted. */
export async function resumeStep(run: TurnContext, saved: ReadStep): Promise<boolean> {
  const calls = saved.calls.map(({ index, name, input }) => ({ index, name, input }));
  const pending = new PendingStep(run.turn, calls, keeping(run, saved.step, calls), saved);
  await finishCalls(run, saved.step, new CallStream(run.turn, run.own, run.mcp, saved.step), pending);
  return false;
}

async function finishCalls(run: TurnContext, step: number, stream: CallStream, pending: PendingStep): Promise<void> {
  const { turn, chat, exchange, own, mcp } = run;
  const env = { ...run.env, turn: pending.turn };
  const idOf = (index: number) => modelId(exchange, step, index);
  const { grants } = chat;
  const resultTokens = run.window * RESULT_SHARE;
  const results = await runCalls({ tools: own, mcp, env, grants, stream, step: pending, modelId: idOf, resultTokens });
  exchange.messages.push({ role: 'tool', content: results });
  turn.signal.throwIfAborted(); // when the host stops, the saved step must stay
  chat.save();
}

function modelId({ prefix }: Exchange, step: number, index: number): string {
  return `${prefix}s${step}_${index}`;
}

/** Saves a step with everything before it in the turn. */
function keeping({ turn, chat, exchange, usage }: TurnContext, step: number, calls: readonly RequestedCall[]) {
  return (progress: Pick<SavedStep, 'started' | 'results'>) => {
    const messages = savableMessages(exchange.messages.slice(1));
    const { turnId } = turn;
    chat.save({ turnId, step, prefix: exchange.prefix, messages, calls: [...calls], usage: usage.total, ...progress });
  };
}
