import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatCompletions } from './chat-completions.js';
import { type Answer, eventStream, type ModelRequest } from './dialect.js';
import { gemini } from './gemini.js';
import { messages } from './messages.js';
import { responses } from './responses.js';
import { NO_SCRIPT, SCRIPTS, type Step } from './scripts.js';
import { useOf } from './tools.js';

export interface FakeModel {
  readonly url: string;
  /** What went wrong in it; a test that ends well has nothing here. */
  readonly errors: string[];
  /** How often it answered with a status instead of an answer. */
  readonly refusals: () => number;
  /** The last request with tools, as text. */
  readonly heard: () => string;
  close(): Promise<void>;
}

const DIALECTS = [responses, messages, chatCompletions, gemini];

/** A model on loopback for real agents: what it answers follows from the request, and from how often it has refused. */
export async function startFakeModel(cwd: string): Promise<FakeModel> {
  const errors: string[] = [];
  const refused = new Map<Step, number>();
  let heard = '';
  const hear = (body: string) => {
    heard = body;
  };
  const refuses = (step: Step): boolean => {
    const before = refused.get(step) ?? 0;
    if (step.status === undefined || before >= (step.times ?? Infinity)) return false;
    refused.set(step, before + 1);
    return true;
  };
  const server = createServer((request, response) => {
    answer(request, response, { cwd, refuses, hear }).catch((error: unknown) => {
      errors.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    errors,
    refusals: () => [...refused.values()].reduce((sum, times) => sum + times, 0),
    heard: () => heard,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Behaviour {
  readonly cwd: string;
  refuses(step: Step): boolean;
  hear(body: string): void;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { cwd, refuses, hear }: Behaviour,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = new URL(request.url ?? '/', 'http://model').pathname;
  const dialect = DIALECTS.find((candidate) => candidate.path.test(path));
  if (request.method !== 'POST' || !dialect) {
    response.writeHead(404).end();
    return;
  }
  const body = JSON.parse(Buffer.concat(chunks).toString());
  const asked = dialect.read(body);
  if (asked.tools.length > 0) hear(JSON.stringify(body));
  const step = stepOf(asked);
  if (refuses(step)) {
    const error = { type: 'api_error', message: `the model refuses with ${step.status}` };
    response
      .writeHead(step.status ?? 0, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ type: 'error', error }));
    return;
  }
  const { calls = [] } = step;
  const uses = calls.map((wish) => useOf(wish, asked.tools, cwd));
  const complete: Answer = { ...step, uses };
  if (path.endsWith(':generateContent') && dialect.whole) {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(dialect.whole(complete, String(body.model))));
    return;
  }
  await dialect.write(complete, String(body.model), eventStream(response));
  response.end();
}

/** The script that the user's last message with one names, at the step after the calls since then. */
function stepOf({ turns, tools }: ModelRequest): Step {
  if (tools.length === 0) return { text: 'A title' }; // agents ask for titles and summaries beside the conversation
  const at = turns.findLastIndex(({ role, text }) => role === 'user' && /script:\w/.test(text));
  const name = /.*script:(\w+)/s.exec(turns[at]?.text ?? '')?.[1] ?? '';
  const rounds = turns.slice(at + 1).filter(({ role, hasCalls }) => role === 'assistant' && hasCalls).length;
  const steps = SCRIPTS[name];
  return steps?.[Math.min(rounds, steps.length - 1)] ?? NO_SCRIPT;
}
