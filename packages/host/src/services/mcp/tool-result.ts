import type { ContentRef, ToolCallResult, ToolResultContent } from '@moorage/protocol';
import type { McpContent, McpToolResult } from '../../ports/mcp.js';
import { MAX_RESULT_CHARS } from './limits.js';

export interface ResultWords {
  readonly past: string;
  readonly failed: string;
}

/** Converts a tool's result. Content that is not text is stored, so that every client can read it (B-179). */
export function resultOf(
  { isError, content, structuredContent }: McpToolResult,
  { past, failed }: ResultWords,
  store: (bytes: Uint8Array, contentType: string) => ContentRef,
): ToolCallResult {
  let left = MAX_RESULT_CHARS;
  const shown = content.map((item) => {
    const block = blockOf(item, store);
    if (block.type !== 'text' || block.text.length <= left) {
      if (block.type === 'text') left -= block.text.length;
      return block;
    }
    const text = `${block.text.slice(0, left)}\n[cut]`;
    left = 0;
    return { ...block, text };
  });
  const said = shown.find((block) => block.type === 'text')?.text;
  const fits = structuredContent && JSON.stringify(structuredContent).length <= MAX_RESULT_CHARS;
  return {
    success: !isError,
    pastTenseMessage: isError ? failed : past,
    content: shown,
    ...(fits && { structuredContent }),
    ...(isError && { error: { message: (said ?? 'The tool failed.').slice(0, MAX_ERROR_CHARS), code: 'toolFailed' } }),
  };
}

function blockOf(item: McpContent, store: (bytes: Uint8Array, contentType: string) => ContentRef): ToolResultContent {
  switch (item.kind) {
    case 'text':
      return { type: 'text', text: item.text };
    case 'link':
      return { type: 'text', text: `[${item.title}](${item.uri})` };
    case 'bytes':
      return { type: 'resource', ...store(Buffer.from(item.base64, 'base64'), item.contentType) };
  }
}

/** UTF-16 units of a failed tool's message in the error; the content has all of it. */
const MAX_ERROR_CHARS = 2_000;
