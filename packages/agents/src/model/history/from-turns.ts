import type { AgentFiles } from '@moorage/host/ports';
import { errorOf, type ResponsePart, type ToolCallState, type Turn, wordsOf } from '@moorage/protocol';
import { steeringOf } from '@moorage/protocol/internal';
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import { MAX_RESULT_CHARS } from '../limits.js';
import { cutMiddle } from '../tools/cut.js';
import type { Exchange } from './conversation.js';
import { assistantMessage, callPart, resultPart } from './messages.js';
import { userContent } from './user-content.js';

/** Rebuilds what the model knows from the turns that the host has kept. */
export function exchangesOf(turns: readonly Turn[], files: AgentFiles): Promise<Exchange[]> {
  return Promise.all(turns.map((turn, index) => exchangeOf(turn, index, files)));
}

async function exchangeOf(turn: Turn, index: number, files: AgentFiles): Promise<Exchange> {
  const prefix = `h${index}`;
  const messages: ModelMessage[] = [{ role: 'user', content: await userContent(turn.message, files) }];
  let said: Exclude<AssistantModelMessage['content'], string> = [];
  let results: ToolModelMessage['content'] = [];
  const flush = () => {
    if (said.length > 0) messages.push(assistantMessage(said));
    if (results.length > 0) messages.push({ role: 'tool', content: results });
    said = [];
    results = [];
  };
  let calls = 0;
  for (const part of turn.responseParts) {
    const steering = steeringOf(part);
    if (steering) {
      flush();
      messages.push({ role: 'user', content: await userContent(steering.message, files) });
    } else if (part.kind === 'toolCall') {
      const id = `${prefix}_${calls++}`;
      said.push(callPart(id, part.toolCall.toolName, inputOf(part.toolCall)));
      results.push(resultPart(id, part.toolCall.toolName, resultOf(part.toolCall)));
    } else {
      const text = partText(part);
      if (text.trim() === '') continue;
      if (results.length > 0) flush(); // text after results starts a new answer
      said.push({ type: 'text', text });
    }
  }
  flush();
  if (turn.state !== 'complete') messages.push(assistantMessage([{ type: 'text', text: endOf(turn) }]));
  return { turnId: turn.id, prefix, messages };
}

function partText(part: Exclude<ResponsePart, { kind: 'toolCall' }>): string {
  return part.kind === 'markdown' ? part.content : '';
}

function inputOf(call: ToolCallState): unknown {
  const input = call.status === 'streaming' ? undefined : call.toolInput;
  try {
    return JSON.parse(typeof input === 'string' ? input : '{}');
  } catch {
    return {};
  }
}

function resultOf(call: ToolCallState): string {
  if (call.status === 'cancelled') {
    return `Not done: ${call.reasonMessage === undefined ? 'the user did not allow it' : wordsOf(call.reasonMessage)}.`;
  }
  if (call.status !== 'completed') return 'Not done: the turn ended before.';
  const texts = (call.content ?? []).flatMap((content) => (content.type === 'text' ? [content.text] : []));
  const error = call.error ? [`Error: ${call.error.message}`] : [];
  const all = [...error, ...texts].join('\n');
  return all === '' ? wordsOf(call.pastTenseMessage) : cutMiddle(all, MAX_RESULT_CHARS);
}

function endOf(turn: Turn): string {
  if (turn.state === 'cancelled') return '[The user cancelled this turn here.]';
  return `[This turn ended with an error: ${errorOf(turn)?.message ?? 'unknown'}]`;
}
