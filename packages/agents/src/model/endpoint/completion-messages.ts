import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from 'ai';

/** A conversation as chat completions take it. */
export function completionMessages(system: string, messages: readonly ModelMessage[]): object[] {
  return [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages.flatMap(messageOf)];
}

function messageOf(message: ModelMessage): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [{ role: 'user', content: userContent(message.content) }];
    case 'assistant':
      return [assistantMessage(message.content)];
    case 'tool':
      return message.content.map(resultOf);
  }
}

/** A text alone is sent as text: small servers know nothing else. */
function userContent(content: UserModelMessage['content']): string | object[] {
  if (typeof content === 'string') return content;
  const [first, ...others] = content;
  if (first?.type === 'text' && others.length === 0) return first.text;
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const [data, mediaType = 'image/jpeg'] =
      part.type === 'image' ? [part.image, part.mediaType] : [part.data, part.mediaType];
    return { type: 'image_url', image_url: { url: urlOf(data, mediaType) } };
  });
}

function urlOf(data: URL | string | Uint8Array | ArrayBuffer, mediaType: string): string {
  if (data instanceof URL) return data.href;
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  const base64 = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('base64');
  return `data:${mediaType};base64,${base64}`;
}

/** Thoughts are not sent back: only the endpoint that sealed them could read them, and this protocol seals none. */
function assistantMessage(content: AssistantModelMessage['content']): object {
  if (typeof content === 'string') return { role: 'assistant', content };
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = content.flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const call = { name: part.toolName, arguments: JSON.stringify(part.input) };
    return [{ id: part.toolCallId, type: 'function', function: call }];
  });
  return calls.length === 0
    ? { role: 'assistant', content: text }
    : { role: 'assistant', content: text || null, tool_calls: calls };
}

function resultOf({ toolCallId, output }: ToolModelMessage['content'][number]): object {
  const content = typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
  return { role: 'tool', tool_call_id: toolCallId, content };
}
