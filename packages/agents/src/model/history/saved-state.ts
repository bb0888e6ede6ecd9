import { strict, type Validator } from '@ahpd/protocol';
import { type ModelMessage, modelMessageSchema } from 'ai';
import Type, { type Static } from 'typebox';

const index = Type.Integer({ minimum: 0 });

const step = Type.Object({
  turnId: Type.String(),
  step: index,
  prefix: Type.String(),
  /** What followed the user's message; as the SDK has it. */
  messages: Type.Array(Type.Unknown()),
  calls: Type.Array(Type.Object({ index, name: Type.String(), input: Type.Optional(Type.Unknown()) })),
  /** Calls that have begun to do something. */
  started: Type.Array(index),
  results: Type.Array(Type.Object({ index, text: Type.String(), isError: Type.Boolean() })),
  usage: Type.Object({ inputTokens: index, outputTokens: index, cacheReadTokens: index }),
});

const schema = Type.Object({
  summary: Type.Optional(Type.Object({ text: Type.String(), through: Type.String() })),
  /** What the user allows for this session. */
  grants: Type.Array(Type.String()),
  /** The answer whose calls wait for the user. */
  step: Type.Optional(step),
});

/** What a chat keeps for its next life; the turns themselves the host keeps. */
export type SavedState = Static<typeof schema>;
export type SavedStep = Static<typeof step>;

const savedState: Validator<SavedState> = strict(schema);

/** Written by another version, or by nobody: then there is nothing to take up. */
export function readSavedState(saved: unknown): SavedState {
  return savedState.check(saved) ? saved : { grants: [] };
}

/** A step that was kept, with its messages read. */
export interface ReadStep extends SavedStep {
  readonly messages: ModelMessage[];
}

/** The step of a turn; undefined when it is another's, or its messages are not what this version of the SDK takes. */
export function readStep(saved: SavedStep | undefined, turnId: string): ReadStep | undefined {
  if (saved?.turnId !== turnId) return undefined;
  const { success, data } = modelMessageSchema.array().safeParse(saved.messages);
  return success ? { ...saved, messages: data } : undefined;
}

/** Messages in a form that JSON can hold. */
export function savableMessages(messages: readonly ModelMessage[]): unknown[] {
  return messages.map((message) => {
    if (message.role !== 'user' || typeof message.content === 'string') return message;
    const content = message.content.map((part) => (part.type === 'text' ? part : { type: 'text', text: '(an image)' }));
    return { ...message, content };
  });
}
