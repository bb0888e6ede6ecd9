import { Buffer } from 'node:buffer';
import { CloseCodes, type CloseInfo } from '@ahpd/protocol';

/** Code and reason that a close frame can carry; `ws` throws on others, and a close must never throw. */
export function carriable(code: number | undefined, reason: string | undefined): { code?: number; reason?: string } {
  if (code === undefined) return {};
  if (!isCarriable(code)) return { code: CloseCodes.InternalError };
  return reason === undefined ? { code } : { code, reason: shortened(reason) };
}

/** What a close frame told; `ws` makes a code up when it had none. */
export function received(code: number, reason: string): CloseInfo {
  if (code === CloseCodes.NoCode) return {};
  return reason === '' ? { code } : { code, reason };
}

/** The close code that `ws` sent for what it found wrong; its error does not tell otherwise. */
export function violation(error: Error): CloseInfo {
  const found = 'code' in error && typeof error.code === 'string' ? VIOLATIONS[error.code] : undefined;
  return found ?? { code: CloseCodes.ProtocolError, reason: 'not the WebSocket protocol' };
}

const VIOLATIONS: Readonly<Record<string, CloseInfo>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: { code: CloseCodes.MessageTooBig, reason: 'message too big' },
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: { code: CloseCodes.MessageTooBig, reason: 'message too big' },
  WS_ERR_INVALID_UTF8: { code: CloseCodes.InvalidText, reason: 'not UTF-8' },
  WS_ERR_TOO_MANY_BUFFERED_PARTS: { code: CloseCodes.PolicyViolation, reason: 'message in too many pieces' },
};

function isCarriable(code: number): boolean {
  if (!Number.isInteger(code) || NEVER_SENT.has(code)) return false;
  return (code >= 1000 && code <= 1014) || (code >= 3000 && code < 5000);
}

/** RFC 6455 reserves 1004, and has the other two only for what is reported. */
const NEVER_SENT: ReadonlySet<number> = new Set([1004, CloseCodes.NoCode, CloseCodes.Abnormal]);

// A control frame holds 125 bytes, two of them the code. Cut between characters: half of one is not UTF-8.
function shortened(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  return new TextDecoder().decode(bytes.subarray(0, MAX_REASON_BYTES), { stream: true });
}

const MAX_REASON_BYTES = 123;
