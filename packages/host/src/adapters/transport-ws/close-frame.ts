import { Buffer } from 'node:buffer';
import type { CloseInfo } from '@ahpd/protocol';

/** Code and reason that a close frame can carry; `ws` throws on others, and a close must never throw. */
export function carriable(code: number | undefined, reason: string | undefined): { code?: number; reason?: string } {
  if (code === undefined) return {};
  if (!isCarriable(code)) return { code: 1011 };
  return reason === undefined ? { code } : { code, reason: shortened(reason) };
}

/** What a close frame told; `ws` reports 1005 when it had no code. */
export function received(code: number, reason: string): CloseInfo {
  if (code === 1005) return {};
  return reason === '' ? { code } : { code, reason };
}

/** The close code that `ws` sent for what it found wrong; its error does not tell otherwise. */
export function violation(error: Error): CloseInfo {
  const found = 'code' in error && typeof error.code === 'string' ? VIOLATIONS[error.code] : undefined;
  return found ?? { code: 1002, reason: 'not the WebSocket protocol' };
}

const VIOLATIONS: Readonly<Record<string, CloseInfo>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: { code: 1009, reason: 'message too big' },
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: { code: 1009, reason: 'message too big' },
  WS_ERR_INVALID_UTF8: { code: 1007, reason: 'not UTF-8' },
  WS_ERR_TOO_MANY_BUFFERED_PARTS: { code: 1008, reason: 'message in too many pieces' },
};

function isCarriable(code: number): boolean {
  if (!Number.isInteger(code)) return false;
  return (
    (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) || (code >= 3000 && code < 5000)
  );
}

// A control frame holds 125 bytes, two of them the code. Cut between characters: half of one is not UTF-8.
function shortened(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  return new TextDecoder().decode(bytes.subarray(0, MAX_REASON_BYTES), { stream: true });
}

const MAX_REASON_BYTES = 123;
