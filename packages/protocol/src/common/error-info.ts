import { freeForm, object, optional } from './schema.js';
import { Type } from './type.js';

/** What went wrong, for people to read. */
export interface ErrorInfo {
  /** A name for programs, such as `budgetReached`. */
  errorType: string;
  /** A sentence for people. */
  message: string;
  /** Where in the code it happened. Our host never sends it. */
  stack?: string | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ErrorInfoSchema = object<ErrorInfo>('ErrorInfo', {
  errorType: Type.String(),
  message: Type.String(),
  stack: optional(Type.String()),
  _meta: optional(freeForm()),
});
