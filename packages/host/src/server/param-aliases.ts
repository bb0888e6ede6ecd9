import type { RpcParams } from '@ahpd/protocol';
import { invalidParams } from '../core/errors.js';

/** Older clients send the channel of `invokeChangesetOperation` as `changeset`; with both, they must agree (D-3). */
export function withAliases(method: string, params: RpcParams): RpcParams {
  if (method !== 'invokeChangesetOperation' || Array.isArray(params)) return params;
  const { changeset, ...others } = params as Record<string, unknown>;
  if (changeset === undefined) return params;
  const { channel } = others;
  if (channel !== undefined && channel !== changeset)
    throw invalidParams('params/changeset: expected the same URI as params/channel');
  return { ...others, channel: changeset } as RpcParams;
}
