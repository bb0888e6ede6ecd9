import type { AgentTurn, TurnOutcome } from '@ahpd/host/ports';
import type { ToolSet } from 'ai';
import { ModelFailure } from '../endpoint/failure.js';
import type { Exchange } from '../history/conversation.js';
import { assistantMessage, callPart } from '../history/messages.js';
import { userContent } from '../history/user-content.js';
import { DEFAULT_MAX_STEPS } from '../limits.js';
import { ownTools } from '../tools/all.js';
import type { ModelTool, ToolEnv } from '../tools/tool.js';
import { CallStream } from './call-stream.js';
import type { ChatContext } from './chat-context.js';
import { systemPrompt } from './instructions.js';
import { nextAnswer } from './next-answer.js';
import { runCalls } from './run-calls.js';
import { toolSet } from './tool-set.js';
import { UsageCounter } from './usage.js';

/** Runs a turn: asks the model, does what it wants, and tells it how that went, until it has nothing more to do. */
export async function runTurn(turn: AgentTurn, chat: ChatContext): Promise<TurnOutcome> {
  const run = await start(turn, chat);
  const { maxSteps = DEFAULT_MAX_STEPS } = chat.options;
  try {
    for (let step = 0; step < maxSteps; step++) {
      const isDone = await takeStep(run, step);
      turn.signal.throwIfAborted();
      const steering = turn.takeSteering();
      if (steering) run.exchange.messages.push({ role: 'user', content: await userContent(steering, chat.files) });
      else if (isDone) return { kind: 'complete' };
    }
    return { kind: 'error', error: { errorType: 'tooManySteps', message: tooManySteps(maxSteps) } };
  } catch (error) {
    if (turn.signal.aborted) return ended(run, { kind: 'cancelled' }, 'The user cancelled this turn here.');
    if (!(error instanceof ModelFailure)) throw error;
    return ended(run, { kind: 'error', error: error.info }, `This turn ended with an error: ${error.message}`);
  }
}

export interface TurnContext {
  readonly turn: AgentTurn;
  readonly chat: ChatContext;
  readonly exchange: Exchange;
  readonly env: ToolEnv;
  readonly own: ReadonlyMap<string, ModelTool>;
  readonly tools: ToolSet;
  readonly system: string;
  readonly usage: UsageCounter;
}

function tooManySteps(steps: number): string {
  return `The agent stopped after ${steps} steps in one turn. Look at what it did, and send a message to let it go on.`;
}

async function start(turn: AgentTurn, chat: ChatContext): Promise<TurnContext> {
  const { conversation, files, workingDirectory, clock, editing, background, setTitle } = chat;
  const namesSession = conversation.isNew && turn.message.origin.kind === 'user';
  const exchange = conversation.begin(turn.turnId);
  exchange.messages.push({ role: 'user', content: await userContent(turn.message, files) });
  const own = ownTools({ namesSession });
  return {
    turn,
    chat,
    exchange,
    own,
    env: { turn, files, workingDirectory, clock, editing, background, setTitle },
    tools: toolSet(own.values(), turn.clientTools),
    system: await systemPrompt(chat, { namesSession }),
    usage: new UsageCounter(turn, chat.modelFor(turn)),
  };
}

/** Whether the model has nothing more to do. */
async function takeStep(run: TurnContext, step: number): Promise<boolean> {
  const { turn, chat, exchange, own, env } = run;
  const stream = new CallStream(turn, own, step);
  const answer = await nextAnswer(run, stream).catch((error: unknown) => {
    // What users have read, the model must know it said.
    if (stream.said.trim() !== '') exchange.messages.push(assistantMessage([{ type: 'text', text: stream.said }]));
    throw error;
  });
  run.usage.add(answer.usage);
  const modelId = (index: number) => `${exchange.prefix}s${step}_${index}`;
  const calls = answer.calls.map(({ index, name, input }) => callPart(modelId(index), name, input));
  const content = [...answer.content, ...calls];
  if (content.length > 0) exchange.messages.push(assistantMessage(content));
  if (answer.calls.length > 0) {
    const results = await runCalls(answer.calls, { tools: own, env, grants: chat.grants, stream, modelId });
    exchange.messages.push({ role: 'tool', content: results });
    chat.save();
    return false;
  }
  if (answer.finishReason === 'length') {
    turn.emit({ kind: 'notice', text: 'The answer was cut off: it reached the most that the model may say at once.' });
  }
  if (answer.finishReason === 'content-filter') {
    turn.emit({ kind: 'notice', text: 'The answer was cut off by the content filter of the model endpoint.' });
  }
  return true;
}

/** The model is told as well, so that it does not take up by itself what it left. */
function ended({ exchange }: TurnContext, outcome: TurnOutcome, note: string): TurnOutcome {
  exchange.messages.push(assistantMessage([{ type: 'text', text: `[${note}]` }]));
  return outcome;
}
