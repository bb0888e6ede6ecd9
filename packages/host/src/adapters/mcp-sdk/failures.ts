import { ErrorCode, McpError as SdkError } from '@modelcontextprotocol/sdk/types.js';
import { McpError } from '../../ports/mcp.js';

/** Turns any error into an McpError. Repeats only the server's own messages; others could reveal its command or address. */
export function failureOf(error: unknown, closed: string | undefined): McpError {
  if (error instanceof McpError) return error;
  if (error instanceof SdkError) {
    const own = SDK_ERRORS[error.message];
    if (own === 'closed') return connectionClosed(closed, error);
    if (own === 'timeout') return new McpError({ kind: own }, 'The server did not answer in time.', { cause: error });
    const { code, data } = error;
    return new McpError({ kind: 'refused', code, data }, serverMessage(error), { cause: error });
  }
  if (isShapeError(error)) {
    const refused = { kind: 'refused', code: ErrorCode.InternalError } as const;
    return new McpError(refused, 'The server gave an answer that does not follow the protocol.', { cause: error });
  }
  if (closed !== undefined) return connectionClosed(closed, error);
  const status = (error as { code?: unknown } | undefined)?.code;
  const why = typeof status === 'number' && status > 0 ? `it answered with HTTP ${status}` : 'it cannot be reached';
  return new McpError({ kind: 'unreachable' }, why, { cause: error });
}

/** Errors that the SDK itself creates. Servers use the same codes, -32000 above all, so only the messages tell them apart. */
const SDK_ERRORS: Readonly<Record<string, 'closed' | 'timeout'>> = {
  'MCP error -32000: Connection closed': 'closed',
  'MCP error -32001: Request timed out': 'timeout',
  'MCP error -32001: Maximum total timeout exceeded': 'timeout',
};

function connectionClosed(reason: string | undefined, cause: unknown): McpError {
  return new McpError({ kind: 'closed' }, reason ?? 'the connection was closed', { cause });
}

/** The server's message, without the code that the SDK puts before it. */
function serverMessage({ message }: SdkError): string {
  return message.replace(/^MCP error -?\d+: /, '').slice(0, MAX_CHARS);
}

function isShapeError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ZodError' || error.name === '$ZodError');
}

const MAX_CHARS = 2_000;
