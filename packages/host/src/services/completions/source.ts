import type { CompletionItem, MessageAttachment } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Word } from './word.js';

/** A source of completions for messages. */
export interface CompletionSource {
  /** The trigger characters this source answers; '' for words without a trigger. */
  readonly triggers: readonly string[];
  /** Suggestions, best first. If the source rejects or takes too long, the answer goes out without it. */
  complete(request: CompletionRequest): readonly Suggestion[] | Promise<readonly Suggestion[]>;
}

interface CompletionRequest {
  readonly session: Channel<'session'>;
  readonly chat: Channel<'chat'>;
  readonly word: Word;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

export interface Suggestion {
  /** Replaces the word, including its trigger. */
  readonly insertText: string;
  readonly attachment: MessageAttachment;
}

export function itemOf({ insertText, attachment }: Suggestion, { start, end }: Word): CompletionItem {
  return { insertText, rangeStart: start, rangeEnd: end, attachment };
}
