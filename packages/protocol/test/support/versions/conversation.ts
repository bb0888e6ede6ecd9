import fc from 'fast-check';
import { actionTable, type ChannelKind, type StateAction } from '../../../src/index.js';
import { arbitraryOf } from '../arbitrary.js';

/** Any action that the schemas allow, of some kinds. */
export function anyAction(...kinds: ChannelKind[]): fc.Arbitrary<StateAction> {
  const rows = Object.values(actionTable).filter((row) => kinds.includes(row.kind));
  return fc.oneof(...rows.map((row) => arbitraryOf(row.schema) as fc.Arbitrary<StateAction>));
}

/** Turns begin, and calls and questions come up, often enough that most of what can happen to them does. */
export const conversation = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: one('chat/turnStarted') },
    { weight: 2, arbitrary: one('chat/error', 'chat/turnResume', 'chat/turnResume') },
    { weight: 4, arbitrary: one('chat/toolCallStart', 'chat/toolCallReady') },
    { weight: 4, arbitrary: one('chat/toolCallConfirmed', 'chat/toolCallAuthRequired', 'chat/toolCallComplete') },
    { weight: 3, arbitrary: one('chat/inputRequested', 'chat/inputAnswerChanged', 'chat/inputCompleted') },
    { weight: 2, arbitrary: one('session/customizationsChanged', 'session/customizationToggled') },
    { weight: 6, arbitrary: anyAction('chat') },
    { weight: 4, arbitrary: anyAction('session') },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
);

function one(...types: (keyof typeof actionTable)[]): fc.Arbitrary<StateAction> {
  return fc.oneof(...types.map((type) => arbitraryOf(actionTable[type].schema) as fc.Arbitrary<StateAction>));
}
