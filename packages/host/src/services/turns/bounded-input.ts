import { type ContentRef, ExtensionMeta, type ToolResultContent } from '@moorage/protocol';
import type { AgentEvent, ToolCallDescription } from '../../ports/agent-events.js';

/** UTF-16 units of a call's input that are in state; the whole of a longer one is kept beside it. */
const MAX_INPUT_CHARS = 256 * 1024;

/** UTF-16 units of a text in a call's result that are in state; a longer one is kept beside it. */
const MAX_RESULT_CHARS = 1024 * 1024;

/** UTF-16 units of what a call is called. */
const MAX_TITLE_CHARS = 4_000;

type Store = (content: string, contentType: string) => ContentRef;

/** An event with no more in it than state should have. */
export function boundedEvent(event: AgentEvent, store: Store): AgentEvent {
  switch (event.kind) {
    case 'toolCallRunning':
      return bounded(event, store);
    case 'toolCallContent':
      // What a call shows while it runs is replaced soon, so its newest end will do.
      return {
        ...event,
        content: event.content.map((item) => (isLong(item) ? newestOf(item) : item)),
      };
    case 'toolCallDone': {
      const content = event.result.content?.map((item) => (isLong(item) ? stored(item, store) : item));
      return content ? { ...event, result: { ...event.result, content } } : event;
    }
    default:
      return event;
  }
}

function newestOf(item: Extract<ToolResultContent, { type: 'text' }>): ToolResultContent {
  return { ...item, text: item.text.slice(-MAX_RESULT_CHARS) };
}

function isLong(item: ToolResultContent): item is Extract<ToolResultContent, { type: 'text' }> {
  return item.type === 'text' && item.text.length > MAX_RESULT_CHARS;
}

function stored({ text }: Extract<ToolResultContent, { type: 'text' }>, store: Store): ToolResultContent {
  return { type: 'resource', ...store(text, 'text/plain') };
}

/** A call's description as it goes into state: of a long input the beginning, and where the rest is. */
export function bounded<D extends ToolCallDescription>(description: D, store: Store): D {
  const { toolInput, invocationMessage, meta } = description;
  const title =
    typeof invocationMessage === 'string' && invocationMessage.length > MAX_TITLE_CHARS
      ? { invocationMessage: `${invocationMessage.slice(0, MAX_TITLE_CHARS)}…` }
      : {};
  if (toolInput === undefined || toolInput.length <= MAX_INPUT_CHARS) return { ...description, ...title };
  const whole = store(toolInput, 'text/plain');
  const input = { toolInput: shortInput(toolInput), meta: { ...meta, [ExtensionMeta.toolInput]: whole } };
  // Nobody could edit what is not there.
  return { ...description, ...title, ...input, ...('editable' in description && { editable: false }) };
}

/** The input as state has it. */
export function shortInput(toolInput: string): string {
  if (toolInput.length <= MAX_INPUT_CHARS) return toolInput;
  return `${toolInput.slice(0, MAX_INPUT_CHARS)}\n… (${toolInput.length - MAX_INPUT_CHARS} more characters)`;
}
