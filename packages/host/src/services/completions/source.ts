import type { CompletionItem, MessageAttachment } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { Word } from './word.js';

/** Somebody who knows what may be written in a message. */
export interface CompletionSource {
  /** The characters that ask for it. */
  readonly triggers: readonly string[];
  /** What fits, best first. It may reject or take too long: then the others answer without it. */
  complete(request: CompletionRequest): readonly Suggestion[] | Promise<readonly Suggestion[]>;
}

interface CompletionRequest {
  readonly session: Channel<'session'>;
  readonly chat: Channel<'chat'>;
  readonly word: Word;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface Suggestion {
  /** Written instead of the word, its trigger included. */
  readonly insertText: string;
  readonly attachment: MessageAttachment;
}

export function itemOf({ insertText, attachment }: Suggestion, { start, end }: Word): CompletionItem {
  return { insertText, rangeStart: start, rangeEnd: end, attachment };
}
