import type { DispatchActionParams } from '@moorage/protocol';

/**
 * The frame of a dispatch. It is made at once, so that one that waits for a connection is sent as it was meant.
 * Throws a TypeError when the action has no JSON form.
 */
export function encodeDispatch(params: DispatchActionParams): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'dispatchAction', params });
}
