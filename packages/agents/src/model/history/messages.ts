import type { AssistantModelMessage, ToolCallPart, ToolResultPart } from 'ai';

type Content = Exclude<AssistantModelMessage['content'], string>;

export function assistantMessage(content: Content): AssistantModelMessage {
  return { role: 'assistant', content };
}

/** A call in a form that every endpoint accepts, whatever the model sent. */
export function callPart(toolCallId: string, name: string, input: unknown): ToolCallPart {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return { type: 'tool-call', toolCallId, toolName: safeName(name), input: isObject ? input : {} };
}

export function resultPart(toolCallId: string, name: string, text: string, isError = false): ToolResultPart {
  const type = isError ? 'error-text' : 'text';
  return { type: 'tool-result', toolCallId, toolName: safeName(name), output: { type, value: text } };
}

function safeName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unknown';
}
