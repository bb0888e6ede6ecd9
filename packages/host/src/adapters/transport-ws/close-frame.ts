import { Buffer } from 'node:buffer';
import { CloseCodes, type CloseInfo } from '@moorage/protocol';

/** A code and reason that a close frame can carry. `ws` throws for others, but closing must never throw. */
export function carriable(code: number | undefined, reason: string | undefined): { code?: number; reason?: string } {
  if (code === undefined) return {};
  if (!isCarriable(code)) return { code: CloseCodes.InternalError };
  return reason === undefined ? { code } : { code, reason: shortened(reason) };
}

/** What a received close frame said. `ws` makes up a code if there was none. */
export function received(code: number, reason: string): CloseInfo {
  if (code === CloseCodes.NoCode) return {};
  return reason === '' ? { code } : { code, reason };
}

/** The close code that `ws` sent for a violation of the protocol. Its error has no other trace of it. */
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

/** RFC 6455 reserves 1004, and allows the other two only in reports to the application. */
const NEVER_SENT: ReadonlySet<number> = new Set([1004, CloseCodes.NoCode, CloseCodes.Abnormal]);

// A control frame has at most 125 bytes, two of them for the code. The cut is between characters, to stay valid UTF-8.
function shortened(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  return new TextDecoder().decode(bytes.subarray(0, MAX_REASON_BYTES), { stream: true });
}

const MAX_REASON_BYTES = 123;
