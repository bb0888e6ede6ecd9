import { ANSWER_IDLE_MS, MAX_ANSWER_CHARS } from '../limits.js';
import type { ModelClock } from '../options.js';
import { type Answer, AnswerBuilder } from './answer.js';
import { failureOf, ModelFailure } from './failure.js';
import type { ModelRequest, Protocol } from './protocol.js';

export interface Question extends ModelRequest {
  readonly protocol: Protocol;
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
  const { endpoint, protocol, clock, signal } = question;
  const silence = new AbortController();
  const watch = idleWatch(clock, () => silence.abort());
  const answer = new AnswerBuilder(listener);
  try {
    for await (const part of protocol(question, AbortSignal.any([signal, silence.signal]))) {
      signal.throwIfAborted();
      if (silence.signal.aborted) throw stuck();
      watch.restart();
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
