import { type ErrorInfo, ErrorInfoSchema } from '../../../common/error-info.js';
import { object } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';

export interface SessionReadyAction {
  type: 'session/ready';
}

export const SessionReadyActionSchema = object<SessionReadyAction>('SessionReadyAction', {
  type: Type.Literal('session/ready'),
});

export interface SessionCreationFailedAction {
  type: 'session/creationFailed';
  /** Why it could not be made. */
  error: ErrorInfo;
}

export const SessionCreationFailedActionSchema = object<SessionCreationFailedAction>('SessionCreationFailedAction', {
  type: Type.Literal('session/creationFailed'),
  error: ErrorInfoSchema,
});
