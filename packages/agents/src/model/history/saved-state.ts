import { strict, type Validator } from '@ahpd/protocol';
import Type, { type Static } from 'typebox';

const schema = Type.Object({
  summary: Type.Optional(Type.Object({ text: Type.String(), through: Type.String() })),
  /** What the user allows for this session. */
  grants: Type.Array(Type.String()),
});

/** What a chat keeps for its next life; the turns themselves the host keeps. */
export type SavedState = Static<typeof schema>;

const savedState: Validator<SavedState> = strict(schema);

/** Written by another version, or by nobody: then there is nothing to take up. */
export function readSavedState(saved: unknown): SavedState {
  return savedState.check(saved) ? saved : { grants: [] };
}
