import { type LanguageModel, type ModelMessage, streamText, type ToolSet } from 'ai';
import { ANSWER_IDLE_MS, MAX_ANSWER_CHARS } from '../limits.js';
import type { ModelClock, ModelEndpoint } from '../options.js';
import { type Answer, AnswerBuilder } from './answer.js';
import { failureOf, ModelFailure } from './failure.js';
import { failureEvent, RESPONSES_OPTIONS } from './responses-protocol.js';

export interface Question {
  readonly endpoint: ModelEndpoint;
  readonly model: LanguageModel;
  readonly system: string;
  readonly messages: ModelMessage[];
  readonly tools: ToolSet;
  readonly maxOutputTokens?: number | undefined;
  readonly signal: AbortSignal;
  readonly clock: ModelClock;
}

/** Hears an answer while it arrives. */
export interface AnswerListener {
  text(text: string): void;
  reasoning(text: string): void;
  callStart(index: number, name: string): void;
  callInput(index: number, text: string): void;
}

/** Sends one request and reads the streamed answer. Rejects with a ModelFailure, or at once when the signal aborts. */
export async function askModel(question: Question, listener: AnswerListener): Promise<Answer> {
  const { endpoint, clock, signal } = question;
  const silence = new AbortController();
  const watch = idleWatch(clock, () => silence.abort());
  const answer = new AnswerBuilder(listener);
  try {
    for await (const part of stream(question, AbortSignal.any([signal, silence.signal]))) {
      signal.throwIfAborted();
      if (silence.signal.aborted) throw stuck();
      watch.restart();
      if (part.type === 'error') throw part.error;
      const failure = part.type === 'raw' ? failureEvent(part.rawValue) : undefined;
      if (failure) throw failure;
      answer.add(part);
      if (answer.chars > MAX_ANSWER_CHARS) throw endless();
    }
    if (silence.signal.aborted) throw stuck();
    return answer.finish({ mayBeEmpty: question.messages.at(-1)?.role === 'tool' });
  } catch (error) {
    signal.throwIfAborted();
    const failure = failureOf(silence.signal.aborted ? stuck() : error, endpoint);
    throw answer.chars > 0 ? brokenOff(failure) : failure;
  } finally {
    watch.stop();
    silence.abort(); // ends whatever is left of the request
  }
}

function stream({ endpoint, model, system, messages, tools, maxOutputTokens }: Question, abortSignal: AbortSignal) {
  return streamText({
    model,
    system,
    messages,
    tools,
    abortSignal,
    maxRetries: 0, // we retry ourselves, and tell the user
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(endpoint.api === 'openai-responses' && RESPONSES_OPTIONS),
    onError: () => {}, // errors also come as parts of the stream
  }).fullStream;
}

function idleWatch(clock: ModelClock, onIdle: () => void) {
  let timer = clock.setTimeout(onIdle, ANSWER_IDLE_MS);
  return {
    restart: () => {
      clock.clearTimeout(timer);
      timer = clock.setTimeout(onIdle, ANSWER_IDLE_MS);
    },
    stop: () => clock.clearTimeout(timer),
  };
}

function stuck(): ModelFailure {
  const message = `The model endpoint said nothing for ${ANSWER_IDLE_MS / 60_000} minutes.`;
  return new ModelFailure('modelStuck', message, { isPassing: true });
}

function endless(): ModelFailure {
  return new ModelFailure('answerTooLong', 'The model would not stop talking, so its answer was ended.');
}

/** Users have already seen a part of the answer, so the request is not repeated. */
function brokenOff(failure: ModelFailure): ModelFailure {
  if (!failure.isPassing) return failure;
  const message = `The answer broke off. ${failure.message} Send a message to go on.`;
  return new ModelFailure(failure.errorType, message, { cause: failure });
}
