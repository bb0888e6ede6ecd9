import { type ToolCallResult, wordsOf } from '@moorage/protocol';

/** What the model is told about the result of a client's or MCP server's tool. */
export function resultText({ content = [], structuredContent, error, pastTenseMessage }: ToolCallResult): string {
  const texts = content.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    return part.type === 'resource' ? [`[${part.contentType ?? 'a file'}, shown to the user]`] : [];
  });
  if (texts.length === 0 && structuredContent) texts.push(JSON.stringify(structuredContent));
  const failure = error && !texts.includes(error.message) ? [`Error: ${error.message}`] : [];
  return [...failure, ...texts].join('\n') || wordsOf(pastTenseMessage);
}
