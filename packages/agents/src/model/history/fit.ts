import type { ModelMessage } from 'ai';
import { ModelFailure } from '../endpoint/failure.js';
import type { Conversation, Exchange } from './conversation.js';
import { charsOf, messageTokens } from './tokens.js';
import { transcriptOf } from './transcript.js';

export interface FitOptions {
  /** Tokens that messages may take. */
  readonly budget: number;
  /** Asks the model to summarise a transcript; undefined when that failed. */
  summarise(transcript: string): Promise<string | undefined>;
  /** Tells the user what was left out. */
  notify(text: string): void;
}

/** The share of the budget that is kept when older turns are folded, so that some turns fit before it happens again. */
const KEPT_SHARE = 0.5;

/** The share of the budget that facts beside the summary may take. */
const FACTS_SHARE = 0.15;

/** Messages at the end of the running turn whose results stay whole, because the model is working on them. */
const KEPT_MESSAGES = 2;

/** Makes a conversation fit the context window: first older turns become a summary, then old results of this turn are dropped. */
export async function fitConversation(conversation: Conversation, options: FitOptions): Promise<void> {
  if (tokensOf(conversation) <= options.budget) return;
  await foldOldTurns(conversation, options);
  if (tokensOf(conversation) <= options.budget) return;
  const current = conversation.exchanges.at(-1);
  if (current && dropOldResults(current, () => tokensOf(conversation) <= options.budget)) {
    options.notify('The context window is full: older tool results of this turn were left out.');
  }
  if (tokensOf(conversation) <= options.budget) return;
  const message = `This message and what belongs to it do not fit the model's context window of about ${options.budget} tokens. Send less at once.`;
  throw new ModelFailure('contextOverflow', message);
}

function tokensOf(conversation: Conversation): number {
  return messageTokens(conversation.messages);
}

async function foldOldTurns(conversation: Conversation, { budget, summarise, notify }: FitOptions): Promise<void> {
  const { exchanges } = conversation;
  const count = foldable(exchanges, budget * KEPT_SHARE);
  if (count === 0) return;
  const old: ModelMessage[] = [
    ...conversation.summaryMessages,
    ...exchanges.slice(0, count).flatMap(({ messages }) => messages),
  ];
  const transcript = transcriptOf(old, budget);
  const summary = await summarise(transcript.whole);
  conversation.fold(count, summary ?? transcript.excerpt, Math.floor(charsOf(budget) * FACTS_SHARE));
  const turns = count === 1 ? 'the oldest turn was' : `the ${count} oldest turns were`;
  const how = summary === undefined ? 'cut down to the main lines' : 'summarised';
  notify(`The context window is full: ${turns} ${how} for the model. The chat itself keeps everything.`);
}

/** How many of the oldest exchanges must go so that the others fit; the running one always stays. */
function foldable(exchanges: readonly Exchange[], kept: number): number {
  let left = exchanges.reduce((sum, { messages }) => sum + messageTokens(messages), 0);
  let count = 0;
  while (count < exchanges.length - 1 && left > kept) {
    left -= messageTokens(exchanges[count]?.messages ?? []);
    count++;
  }
  return count;
}

/** Whether anything was dropped. */
function dropOldResults({ messages }: Exchange, isEnough: () => boolean): boolean {
  let dropped = false;
  for (let at = 0; at < messages.length - KEPT_MESSAGES && !isEnough(); at++) {
    const message = messages[at];
    if (message?.role !== 'tool') continue;
    const content = message.content.map((part) => ({ ...part, output: { type: 'text' as const, value: LEFT_OUT } }));
    messages[at] = { ...message, content };
    dropped = true;
  }
  return dropped;
}

const LEFT_OUT = '[left out to save space; call the tool again if you need it]';
