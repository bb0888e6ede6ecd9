import { freeForm, object, optional } from './schema.js';
import { Type } from './type.js';

/** What went wrong, for people to read. */
export interface ErrorInfo {
  errorType: string;
  message: string;
  stack?: string | undefined;
  _meta?: Record<string, unknown> | undefined;
}

export const ErrorInfoSchema = object<ErrorInfo>('ErrorInfo', {
  errorType: Type.String(),
  message: Type.String(),
  stack: optional(Type.String()),
  _meta: optional(freeForm()),
});
