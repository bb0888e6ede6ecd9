import type { AgentEvent } from '@moorage/host/ports';
import type { ToolResultContent } from '@moorage/protocol';
import { type Fields, fields, label, list, text } from '../../shared/untrusted.js';
import { type Diff, fileEdit, readDiff } from './file-edit.js';
import { MAX_CONTENTS } from './limits.js';
import type { MappingPorts } from './ports.js';

/** What an agent says as events: text, or a reference to anything else. */
export function sayContent(kind: 'text' | 'reasoning', block: Fields, ports: MappingPorts): AgentEvent[] {
  const said = blockText(block);
  if (said !== undefined) return said === '' ? [] : [{ kind, text: said }];
  const stored = storeBinary(block, ports);
  return stored ? [{ kind: 'contentRef', content: stored }] : [];
}

/** What a tool call shows. Terminals that are not the host's are left out, as their output comes as text too. */
export function toolContent(contents: readonly unknown[], ports: MappingPorts): ToolResultContent[] {
  return contents.slice(0, MAX_CONTENTS).flatMap((item): ToolResultContent[] => {
    const content = fields(item);
    switch (content.type) {
      case 'content':
        return blockContent(fields(content.content), ports);
      case 'diff': {
        const diff = readDiff(content);
        return diff ? [{ type: 'fileEdit', ...fileEdit(diff, ports) }] : [];
      }
      case 'terminal': {
        const terminal = ports.terminal(text(content.terminalId) ?? '');
        return terminal ? [{ type: 'terminal', ...terminal }] : [];
      }
      default:
        return [];
    }
  });
}

export function diffsOf(contents: readonly unknown[]): Diff[] {
  return contents.slice(0, MAX_CONTENTS).flatMap((item) => {
    const content = fields(item);
    return (content.type === 'diff' && readDiff(content)) || [];
  });
}

function blockContent(block: Fields, ports: MappingPorts): ToolResultContent[] {
  const said = blockText(block);
  if (said !== undefined) return said === '' ? [] : [{ type: 'text', text: said }];
  const stored = storeBinary(block, ports);
  return stored ? [{ type: 'resource', ...stored }] : [];
}

function blockText(block: Fields): string | undefined {
  if (block.type === 'text') return text(block.text) ?? '';
  if (block.type === 'resource_link') {
    const uri = text(block.uri) ?? '';
    return uri && `[${label(block.title) ?? label(block.name) ?? uri}](${uri})`;
  }
  return block.type === 'resource' ? text(fields(block.resource).text) : undefined;
}

function storeBinary(block: Fields, ports: MappingPorts) {
  const holder = block.type === 'resource' ? fields(block.resource) : block;
  const data = text(holder.data) ?? text(holder.blob);
  if (!data) return undefined;
  return ports.storeContent(Buffer.from(data, 'base64'), label(holder.mimeType) ?? 'application/octet-stream');
}

/** The result of an MCP server's tool, where an agent passes it on as it is instead of showing it. */
export function passedOn(rawOutput: unknown): unknown[] {
  return list(fields(fields(rawOutput).result).content).map((content) => ({ type: 'content', content }));
}

/** Text in the raw output of a tool, where agents put what is shown nowhere else. */
export function rawText(rawOutput: unknown): string | undefined {
  const output = fields(rawOutput);
  return (
    text(rawOutput) ??
    text(fields(output.error).message) ??
    text(output.output) ??
    text(output.content) ??
    text(output.stdout) ??
    listText(rawOutput)
  );
}

function listText(rawOutput: unknown): string | undefined {
  const texts = list(rawOutput).flatMap((item) => text(fields(item).text) ?? []);
  return texts.length > 0 ? texts.join('\n') : undefined;
}
