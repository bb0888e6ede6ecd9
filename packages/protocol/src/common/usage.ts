import { freeForm, object, optional } from './schema.js';
import { Type } from './type.js';

/** Tokens that a turn used. */
export interface UsageInfo {
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  model?: string | undefined;
  cacheReadTokens?: number | undefined;
  _meta?: Record<string, unknown> | undefined;
}

export const UsageInfoSchema = object<UsageInfo>('UsageInfo', {
  inputTokens: optional(Type.Integer()),
  outputTokens: optional(Type.Integer()),
  model: optional(Type.String()),
  cacheReadTokens: optional(Type.Integer()),
  _meta: optional(freeForm()),
});
