import { freeForm, object, optional } from './schema.js';
import { Type } from './type.js';

/** Tokens that a turn used. */
export interface UsageInfo {
  /** Tokens that the model read. */
  inputTokens?: number | undefined;
  /** Tokens that it wrote. */
  outputTokens?: number | undefined;
  /** The model. */
  model?: string | undefined;
  /** Tokens of the input that came from a cache. */
  cacheReadTokens?: number | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const UsageInfoSchema = object<UsageInfo>('UsageInfo', {
  inputTokens: optional(Type.Integer()),
  outputTokens: optional(Type.Integer()),
  model: optional(Type.String()),
  cacheReadTokens: optional(Type.Integer()),
  _meta: optional(freeForm()),
});
