import { ErrorCode, McpError as SdkError } from '@modelcontextprotocol/sdk/types.js';
import { McpError } from '../../ports/mcp.js';

/** What went wrong, as the port tells it. Only the server's own answers are repeated; other words may hold its launch. */
export function failureOf(error: unknown, closed: string | undefined): McpError {
  if (error instanceof McpError) return error;
  if (error instanceof SdkError) {
    const own = OF_THE_SDK[error.message];
    if (own === 'closed') return gone(closed, error);
    if (own === 'timeout') return new McpError({ kind: own }, 'The server did not answer in time.', { cause: error });
    const { code, data } = error;
    return new McpError({ kind: 'refused', code, data }, wordsOf(error), { cause: error });
  }
  if (isShapeError(error)) {
    const refused = { kind: 'refused', code: ErrorCode.InternalError } as const;
    return new McpError(refused, 'The server gave an answer that is not as the protocol has it.', { cause: error });
  }
  if (closed !== undefined) return gone(closed, error);
  const status = (error as { code?: unknown } | undefined)?.code;
  const why = typeof status === 'number' && status > 0 ? `it answered with HTTP ${status}` : 'it cannot be reached';
  return new McpError({ kind: 'unreachable' }, why, { cause: error });
}

/** What the SDK itself says has codes that servers use as well, -32000 above all: only the words tell them apart. */
const OF_THE_SDK: Readonly<Record<string, 'closed' | 'timeout'>> = {
  'MCP error -32000: Connection closed': 'closed',
  'MCP error -32001: Request timed out': 'timeout',
  'MCP error -32001: Maximum total timeout exceeded': 'timeout',
};

function gone(how: string | undefined, cause: unknown): McpError {
  return new McpError({ kind: 'closed' }, how ?? 'the connection was closed', { cause });
}

/** The SDK puts the code before the server's words. */
function wordsOf({ message }: SdkError): string {
  return message.replace(/^MCP error -?\d+: /, '').slice(0, MAX_CHARS);
}

function isShapeError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ZodError' || error.name === '$ZodError');
}

const MAX_CHARS = 2_000;
