import type { Static } from '@moorage/protocol';
import { strict, type Validator } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import type { ModelMessage } from 'ai';
import { areSavedMessages } from './saved-messages.js';

const index = Type.Integer({ minimum: 0 });

const step = Type.Object({
  turnId: Type.String(),
  step: index,
  prefix: Type.String(),
  /** What followed the user's message, in the SDK's format. */
  messages: Type.Array(Type.Unknown()),
  calls: Type.Array(Type.Object({ index, name: Type.String(), input: Type.Optional(Type.Unknown()) })),
  /** Calls that have begun to do something. */
  started: Type.Array(index),
  results: Type.Array(Type.Object({ index, text: Type.String(), isError: Type.Boolean() })),
  usage: Type.Object({ inputTokens: index, outputTokens: index, cacheReadTokens: index }),
});

const schema = Type.Object({
  summary: Type.Optional(
    Type.Object({
      text: Type.String(),
      through: Type.String(),
      facts: Type.Optional(
        Type.Object({
          asked: Type.Array(Type.String()),
          changed: Type.Array(Type.String()),
          plan: Type.Optional(Type.String()),
        }),
      ),
    }),
  ),
  /** An answer whose calls wait for the user. */
  step: Type.Optional(step),
});

/** What a chat needs to continue after a restart. The turns themselves are kept by the host. */
export type SavedState = Static<typeof schema>;
export type SavedStep = Static<typeof step>;

const savedState: Validator<SavedState> = strict(schema);

/** Another version may have written it: what does not fit is ignored. */
export function readSavedState(saved: unknown): SavedState {
  return savedState.check(saved) ? saved : {};
}

/** A saved step whose messages have been checked. */
export interface ReadStep extends SavedStep {
  readonly messages: ModelMessage[];
}

/** The saved step of a turn; undefined when it belongs to another, or another version wrote messages that this one does not know. */
export function readStep(saved: SavedStep | undefined, turnId: string): ReadStep | undefined {
  if (saved?.turnId !== turnId) return undefined;
  const { messages } = saved;
  return areSavedMessages(messages) ? { ...saved, messages } : undefined;
}

/** Messages as JSON can hold them: without images. */
export function savableMessages(messages: readonly ModelMessage[]): unknown[] {
  return messages.map((message) => {
    if (message.role !== 'user' || typeof message.content === 'string') return message;
    const content = message.content.map((part) => (part.type === 'text' ? part : { type: 'text', text: '(an image)' }));
    return { ...message, content };
  });
}
