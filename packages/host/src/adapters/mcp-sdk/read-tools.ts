import type { McpContent, McpTool, McpToolResult } from '../../ports/mcp.js';
import { MAX_CONTENTS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS, MAX_SCHEMA_CHARS } from './limits.js';

type Fields = Readonly<Record<string, unknown>>;

/** A tool as a server describes it; undefined if its name or its schema is invalid or too large. */
export function readTool(tool: Fields): McpTool | undefined {
  const { name, inputSchema, annotations, _meta: meta } = tool;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_CHARS) return undefined;
  const schema = JSON.stringify(inputSchema ?? {});
  if (schema.length > MAX_SCHEMA_CHARS) return undefined;
  const hints = fields(annotations);
  const title = text(tool.title, MAX_NAME_CHARS) ?? text(hints.title, MAX_NAME_CHARS);
  const description = text(tool.description, MAX_DESCRIPTION_CHARS);
  return {
    name,
    ...(title && { title }),
    ...(description && { description }),
    inputSchema: { ...fields(inputSchema), type: 'object' },
    annotations: Object.fromEntries(
      HINTS.flatMap((hint) => (typeof hints[hint] === 'boolean' ? [[hint, hints[hint]] as const] : [])),
    ),
    ...(isObject(meta) && JSON.stringify(meta).length <= MAX_SCHEMA_CHARS && { meta }),
  };
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

export function readResult({ content, structuredContent, isError }: Fields): McpToolResult {
  const items = Array.isArray(content) ? content.slice(0, MAX_CONTENTS) : [];
  return {
    isError: isError === true,
    content: items.flatMap((item) => readContent(fields(item)) ?? []),
    ...(isObject(structuredContent) && { structuredContent: { ...structuredContent } }),
  };
}

function readContent(item: Fields): McpContent | undefined {
  switch (item.type) {
    case 'text':
      return { kind: 'text', text: string(item.text) };
    case 'image':
    case 'audio':
      return { kind: 'bytes', base64: string(item.data), contentType: typeOf(item) };
    case 'resource': {
      const resource = fields(item.resource);
      if (typeof resource.text === 'string') return { kind: 'text', text: resource.text };
      return { kind: 'bytes', base64: string(resource.blob), contentType: typeOf(resource) };
    }
    case 'resource_link': {
      const uri = string(item.uri);
      return { kind: 'link', uri, title: text(item.title, MAX_NAME_CHARS) ?? text(item.name, MAX_NAME_CHARS) ?? uri };
    }
    default:
      return undefined;
  }
}

function typeOf({ mimeType }: Fields): string {
  return text(mimeType, MAX_NAME_CHARS) ?? 'application/octet-stream';
}

function text(value: unknown, maxChars: number): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, maxChars) : undefined;
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function fields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
