import type { ServerResponse } from 'node:http';
import type { Step } from './scripts.js';
import type { OfferedTool, ToolUse } from './tools.js';

/** A request, whatever its form: what was said, and what may be called. */
export interface ModelRequest {
  readonly turns: readonly PastTurn[];
  readonly tools: readonly OfferedTool[];
}

export interface PastTurn {
  readonly role: 'user' | 'assistant' | 'other';
  readonly text: string;
  /** Whether tools were called in it. */
  readonly hasCalls: boolean;
}

export interface Answer extends Omit<Step, 'calls'> {
  readonly uses: readonly ToolUse[];
}

/** One of the ways in which agents speak with models. */
export interface Dialect {
  readonly path: RegExp;
  read(body: Record<string, never>): ModelRequest;
  write(answer: Answer, model: string, send: Send): Promise<void>;
  /** The answer to a request that is not streamed, for those that have such. */
  whole?(answer: Answer, model: string): object;
}

/** Writes an event; resolves to whether anybody still listens. */
export type Send = (data: unknown, event?: string) => Promise<boolean>;

export function eventStream(response: ServerResponse): Send {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  return async (data, event) => {
    if (response.destroyed) return false;
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${event ? `event: ${event}\n` : ''}data: ${text}\n\n`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return true;
  };
}

/** Milliseconds between two events: an answer comes in pieces that can be told apart. */
const PAUSE_MS = 5;

/** Says a text in pieces; one without end as long as somebody listens. */
export async function inPieces(
  { text = '', endless }: Answer,
  send: (piece: string) => Promise<boolean>,
): Promise<void> {
  for (let word = 1; endless; word++) if (!(await send(`word${word} `))) return;
  for (const piece of text.split(/(?<= )/)) await send(piece);
}

let ids = 0;

/** Agents take answers with the same id for one. */
export function newId(kind: string): string {
  return `${kind}_${++ids}`;
}

/** The text of a content that is one or a list of parts. */
export function plain(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('\n');
}
