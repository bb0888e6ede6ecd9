import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatCompletions } from './chat-completions.js';
import { type Answer, eventStream, type ModelRequest } from './dialect.js';
import { messages } from './messages.js';
import { responses } from './responses.js';
import { NO_SCRIPT, SCRIPTS, type Step } from './scripts.js';
import { useOf } from './tools.js';

export interface FakeModel {
  readonly url: string;
  /** What went wrong in it; a test that ends well has nothing here. */
  readonly errors: string[];
  close(): Promise<void>;
}

const DIALECTS = [responses, messages, chatCompletions];

/** A model on loopback for real agents: what it answers follows from the request alone. */
export async function startFakeModel(cwd: string): Promise<FakeModel> {
  const errors: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response, cwd).catch((error: unknown) => {
      errors.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    errors,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, cwd: string): Promise<void> {
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
  const { calls = [], ...step } = stepOf(asked);
  if (step.status !== undefined) {
    const error = { type: 'invalid_request_error', message: 'the model refuses' };
    response
      .writeHead(step.status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ type: 'error', error }));
    return;
  }
  const uses = calls.map((wish) => useOf(wish, asked.tools, cwd));
  await dialect.write({ ...step, uses } satisfies Answer, String(body.model), eventStream(response));
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
