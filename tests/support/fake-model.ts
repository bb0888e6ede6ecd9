import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicEvents, readAnthropic } from './fake-model-anthropic.js';
import { openaiEvents, openaiWhole, readOpenai } from './fake-model-openai.js';
import { readResponses, responsesEvents } from './fake-model-responses.js';

/** What the fake model does with one request. */
export interface FakeReply {
  readonly think?: string;
  /** Streamed piece by piece. */
  readonly text?: readonly string[];
  readonly calls?: readonly FakeCall[];
  readonly usage?: { readonly input: number; readonly output: number };
  readonly finish?: 'stop' | 'length';
  /** Waited for after everything but the end was sent. */
  readonly hold?: Promise<void>;
  /** Ends the answer with the event that tells of a failure, where the protocol has one. */
  readonly fail?: { readonly message: string; readonly code: string };
  /** Cuts the connection instead of ending the answer. */
  readonly cut?: boolean;
  /** Sends the answer as one JSON body, although a stream was asked for. Only chat completions. */
  readonly whole?: boolean;
  /** Sends calls as small servers do: whole, with their arguments as objects, without number and id. Only chat completions. */
  readonly plainCalls?: boolean;
  /** Answers with an error instead. */
  readonly status?: number;
  readonly message?: string;
  readonly headers?: Record<string, string>;
}

export interface FakeCall {
  readonly name: string;
  /** A text is sent as it is, for inputs that are no JSON. */
  readonly input: object | string;
}

/** A request, whichever of the protocols it came in. */
export interface FakeRequest {
  readonly api: keyof typeof PROTOCOLS;
  readonly model: string;
  readonly key: string | undefined;
  readonly system: string;
  /** Every message as one text; images as `[image/png]`. */
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly tools: readonly string[];
  /** What tools gave since the last message of the user. */
  readonly results: readonly string[];
  /** Resolves when the client has gone before the end. */
  readonly aborted: Promise<void>;
}

export interface ReadRequest extends Pick<FakeRequest, 'system' | 'messages' | 'tools' | 'results'> {
  /** Ids of calls and of results, in their order. */
  readonly ids: readonly { readonly kind: 'call' | 'result'; readonly id: string }[];
  /** What else this protocol refuses it for. */
  readonly problem?: string | undefined;
}

/** By how their address ends. */
const PROTOCOLS = {
  anthropic: { path: '/messages', read: readAnthropic, events: anthropicEvents },
  'openai-responses': { path: '/responses', read: readResponses, events: responsesEvents },
  openai: { path: '/chat/completions', read: readOpenai, events: openaiEvents },
} as const;

const APIS = Object.keys(PROTOCOLS) as (keyof typeof PROTOCOLS)[];

/** What the real endpoints refuse a request for. */
function problemOf({ messages, ids, problem }: ReadRequest): string | undefined {
  if (problem !== undefined) return problem;
  const calls = ids.flatMap(({ kind, id }) => (kind === 'call' ? [id] : []));
  const results = ids.flatMap(({ kind, id }) => (kind === 'result' ? [id] : []));
  if (new Set(calls).size < calls.length) return 'ids of tool calls must be unique';
  if (calls.join() !== results.join()) return 'every tool call needs its result, and the other way round';
  if (!calls.every((id) => /^[A-Za-z0-9_-]{1,40}$/.test(id))) return 'an id of a tool call is malformed';
  return messages.some(({ text }) => text.trim() === '') ? 'messages must not be empty' : undefined;
}

/** A model endpoint on loopback that does what a test says: OpenAI chat completions and responses and Anthropic messages, streamed. */
export class FakeModel {
  readonly requests: FakeRequest[] = [];
  /** What it lists under `/models`; nothing is listed without. */
  models: readonly object[] | undefined;
  /** What to say; the replies that were queued come first. */
  reply: (request: FakeRequest) => FakeReply = () => ({ text: ['Hello', ' from the fake model.'] });
  readonly #server: Server;
  readonly #queue: FakeReply[] = [];
  readonly #waiters: (() => void)[] = [];

  static async start(): Promise<FakeModel> {
    const model = new FakeModel();
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  get baseURL(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  queue(...replies: FakeReply[]): void {
    this.#queue.push(...replies);
  }

  /** The request with this number, from 0, as soon as it is there. */
  async request(index: number): Promise<FakeRequest> {
    for (;;) {
      const found = this.requests[index];
      if (found) return found;
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.method === 'GET' && incoming.url?.endsWith('/models') && this.models) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: this.models }));
      return;
    }
    const api = APIS.find((candidate) => incoming.url?.endsWith(PROTOCOLS[candidate].path));
    if (!api) return refuse(response, { message: 'no such address' }, 404);
    const protocol = PROTOCOLS[api];
    const body = JSON.parse(await bodyOf(incoming)) as { model: string };
    const read: ReadRequest = protocol.read(body);
    const key = incoming.headers['x-api-key'] ?? incoming.headers.authorization;
    const aborted = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve();
      });
    });
    const { ids: _ids, problem: _problem, ...readable } = read;
    const request: FakeRequest = { api, model: body.model, key: key?.toString(), ...readable, aborted };
    this.requests.push(request);
    const message = problemOf(read);
    if (message !== undefined) return refuse(response, { message }, 400);
    const reply = this.#queue.shift() ?? this.reply(request);
    for (const resolve of this.#waiters.splice(0)) resolve();
    if (reply.status !== undefined) return refuse(response, reply, reply.status);
    if (reply.whole) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(openaiWhole(reply));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
    const { start, end } = protocol.events(reply);
    for (const event of start) await send(response, event);
    await reply.hold;
    if (reply.cut) {
      response.destroy();
      return;
    }
    for (const event of end) await send(response, event);
    response.end();
  }
}

/** Each piece by itself, so that it arrives as one. */
async function send(response: ServerResponse, event: string): Promise<void> {
  if (response.destroyed) return;
  await new Promise<void>((resolve) => response.write(event, () => resolve()));
}

function refuse(response: ServerResponse, { message = 'the fake model says no', headers }: FakeReply, status: number) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ type: 'error', error: { type: 'fake_error', message } }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
