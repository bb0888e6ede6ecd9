import { object } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { type SessionInputRequest, SessionInputRequestSchema } from '../input-needed.js';

export interface SessionInputNeededSetAction {
  type: 'session/inputNeededSet';
  /** What waits for a user. */
  request: SessionInputRequest;
}

export const SessionInputNeededSetActionSchema = object<SessionInputNeededSetAction>('SessionInputNeededSetAction', {
  type: Type.Literal('session/inputNeededSet'),
  request: SessionInputRequestSchema,
});

export interface SessionInputNeededRemovedAction {
  type: 'session/inputNeededRemoved';
  /** What waits no longer. */
  id: string;
}

export const SessionInputNeededRemovedActionSchema = object<SessionInputNeededRemovedAction>(
  'SessionInputNeededRemovedAction',
  {
    type: Type.Literal('session/inputNeededRemoved'),
    id: Type.String(),
  },
);
