import type { AgentTurn, TurnOutcome } from '@moorage/host/ports';
import { TurnCustomizations } from '../customizations/turn-customizations.js';
import { ModelFailure } from '../endpoint/failure.js';
import type { ModelToolSpec } from '../endpoint/protocol.js';
import type { Exchange } from '../history/conversation.js';
import { assistantMessage } from '../history/messages.js';
import { type ReadStep, readStep } from '../history/saved-state.js';
import { userContent } from '../history/user-content.js';
import { DEFAULT_CONTEXT_WINDOW, DEFAULT_MAX_STEPS, SMALL_WINDOW } from '../limits.js';
import { fewTools, ownTools } from '../tools/all.js';
import type { ModelTool, ToolEnv } from '../tools/tool.js';
import type { ChatContext } from './chat-context.js';
import { systemPrompt } from './instructions.js';
import { type McpTools, mcpToolNames } from './mcp-tools.js';
import { resumeStep, takeStep } from './take-step.js';
import { toolSet } from './tool-set.js';
import { UsageCounter } from './usage.js';

/** Runs a turn: asks the model, runs its tool calls and tells it the results, until it wants no more. */
export async function runTurn(turn: AgentTurn, chat: ChatContext): Promise<TurnOutcome> {
  const saved = turn.resumed ? readStep(chat.savedStep, turn.turnId) : undefined;
  if (turn.resumed && !saved) return CANNOT_RESUME;
  const run = await start(turn, chat, saved);
  const { maxSteps = DEFAULT_MAX_STEPS } = chat.options;
  try {
    for (let step = saved?.step ?? 0; step < maxSteps; step++) {
      const isDone = saved?.step === step ? await resumeStep(run, saved) : await takeStep(run, step);
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

const CANNOT_RESUME: TurnOutcome = {
  kind: 'error',
  error: {
    errorType: 'cannotResume',
    message: 'The agent does not know how far this turn had come before the restart. Send the message again.',
  },
};

export interface TurnContext {
  readonly turn: AgentTurn;
  readonly chat: ChatContext;
  readonly exchange: Exchange;
  readonly env: ToolEnv;
  readonly own: ReadonlyMap<string, ModelTool>;
  readonly mcp: McpTools;
  readonly tools: readonly ModelToolSpec[];
  /** Tokens that fit into the model's context window. */
  readonly window: number;
  /** The system prompt, which may get more rules with each step. */
  system(): string;
  readonly usage: UsageCounter;
}

function tooManySteps(steps: number): string {
  return `The agent stopped after ${steps} steps in one turn. Look at what it did, and send a message to let it go on.`;
}

async function start(turn: AgentTurn, chat: ChatContext, saved: ReadStep | undefined): Promise<TurnContext> {
  const { conversation, workingDirectory, additionalDirectories, clock, editing, background, setTitle } = chat;
  const custom = await TurnCustomizations.load(turn);
  const files = custom.rules.watching(chat.files);
  const folders = workingDirectory === undefined ? [] : [workingDirectory, ...additionalDirectories];
  const namesSession = conversation.isNew && turn.message.origin.kind === 'user';
  const exchange = conversation.begin(turn.turnId, saved?.prefix);
  const content = await userContent(await custom.expand(turn.message), files);
  exchange.messages.push({ role: 'user', content }, ...(saved?.messages ?? []));
  const model = chat.modelFor(turn);
  const size = chat.windowFor(turn);
  const window = size ?? DEFAULT_CONTEXT_WINDOW;
  const isSmall = window < SMALL_WINDOW;
  const own = custom.tools(isSmall ? fewTools() : ownTools({ namesSession }));
  const clientTools = isSmall ? [] : custom.clientTools(turn.clientTools);
  const taken = [...own.keys(), ...clientTools.map(({ name }) => name)];
  const mcp = custom.mcpTools(mcpToolNames(isSmall ? [] : turn.mcpTools, taken));
  const usage = new UsageCounter(turn, { model, size, price: chat.options.price, account: chat.account });
  if (saved) usage.resume(saved.usage);
  return {
    turn,
    chat,
    exchange,
    own,
    mcp,
    env: { turn, files, workingDirectory, clock, editing, background, setTitle },
    tools: toolSet(own.values(), clientTools, mcp),
    window,
    system: () => {
      const hasTools = !chat.withoutTools.has(model);
      return systemPrompt(folders, { hasTools, isSmall, namesSession, sections: custom.sections });
    },
    usage,
  };
}

/** The model is told too, so that it does not continue by itself where it stopped. */
function ended({ exchange }: TurnContext, outcome: TurnOutcome, note: string): TurnOutcome {
  exchange.messages.push(assistantMessage([{ type: 'text', text: `[${note}]` }]));
  return outcome;
}
