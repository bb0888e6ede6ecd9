import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createRawServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { completions } from '../../src/model/endpoint/completions.js';
import { failureOf } from '../../src/model/endpoint/failure.js';
import type { ModelEndpoint } from '../../src/model/options.js';

const servers: Server[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server): Promise<string> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

async function serving(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  return `http://${await listening(createServer(answer))}/v1`;
}

/** Whatever is sent as HTTP, the server does with the connection as it likes. */
async function rawly(serve: (socket: Socket, connection: number) => void): Promise<string> {
  let connections = 0;
  const server = createRawServer((socket) => {
    socket.on('error', () => {}); // the other side may go first
    serve(socket, ++connections);
  });
  return `http://${await listening(server)}/v1`;
}

/** The text of an answer as it came, piece by piece. */
async function ask(endpoint: string | ModelEndpoint, signal = new AbortController().signal): Promise<string[]> {
  const where = typeof endpoint === 'string' ? ({ api: 'openai', baseURL: endpoint } as const) : endpoint;
  const messages = [{ role: 'user' as const, content: 'hi' }];
  const said: string[] = [];
  for await (const part of completions({ endpoint: where, model: 'm', system: '', messages, tools: [] }, signal)) {
    if (part.type === 'text-delta') said.push(part.text);
  }
  return said;
}

async function failing(endpoint: string) {
  const error: unknown = await ask(endpoint).then(
    () => undefined,
    (error) => error,
  );
  return failureOf(error, { api: 'openai', baseURL: endpoint });
}

const EVENT_STREAM = { 'content-type': 'text/event-stream' };
const said = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const whole = (text: string) => `${HEAD}${chunked(said(text))}${chunked('data: [DONE]\n\n')}0\r\n\r\n`;

describe('an answer', () => {
  it('is the same when it comes byte by byte, in the middle of characters and lines', async () => {
    const url = await serving(async (_, response) => {
      response.writeHead(200, EVENT_STREAM);
      response.socket?.setNoDelay();
      for (const byte of Buffer.from(`\uFEFF: hello\r\n\r\nevent: x\r\n${said('Grüße 👋🏽')}data: [DONE]\n\n`)) {
        await new Promise((resolve) => response.write(new Uint8Array([byte]), resolve));
      }
      response.end();
    });
    expect((await ask(url)).join('')).toBe('Grüße 👋🏽');
  });

  it('is there while more of it is awaited', async () => {
    let more = () => {};
    const url = await serving((_, response) => {
      response.writeHead(200, EVENT_STREAM).write(said('first'));
      more = () => response.end(said('second'));
    });
    const endpoint = { api: 'openai', baseURL: url } as const;
    const signal = new AbortController().signal;
    const texts: string[] = [];
    const messages = [{ role: 'user' as const, content: 'hi' }];
    for await (const part of completions({ endpoint, model: 'm', system: '', messages, tools: [] }, signal)) {
      if (part.type !== 'text-delta') continue;
      texts.push(part.text);
      more();
    }
    expect(texts).toEqual(['first', 'second']);
  });

  it('has what came together in one piece', async () => {
    const url = await serving((_, response) => {
      response.writeHead(200, EVENT_STREAM).end(['a', 'b', 'c'].map(said).join(''));
    });
    expect(await ask(url)).toEqual(['abc']);
  });

  it('that breaks off has all that came before, and says so', async () => {
    const url = await rawly((socket) => {
      socket.once('data', () => socket.end(HEAD + chunked(said('half')) + said('lost').slice(0, 5)));
    });
    const texts: string[] = [];
    const endpoint = { api: 'openai', baseURL: url } as const;
    const request = { endpoint, model: 'm', system: '', messages: [], tools: [] };
    const reading = (async () => {
      for await (const part of completions(request, new AbortController().signal)) {
        if (part.type === 'text-delta') texts.push(part.text);
      }
    })();
    const error: unknown = await reading.catch((error) => error);
    expect(texts).toEqual(['half']);
    expect(failureOf(error, endpoint)).toMatchObject({ errorType: 'modelUnreachable', isPassing: true });
  });

  it('is not awaited any longer once it is cancelled', async () => {
    const cancelled = new AbortController();
    let onClose = () => {};
    const closed = new Promise<void>((resolve) => (onClose = resolve));
    const url = await serving((_, response) => {
      response.once('close', onClose);
      response.writeHead(200, EVENT_STREAM).write(said('first'), () => cancelled.abort());
    });
    await expect(ask(url, cancelled.signal)).rejects.toThrow();
    await closed;
  });

  it('that is compressed all the same is refused, with what helps', async () => {
    const url = await serving((_, response) => {
      response.writeHead(200, { ...EVENT_STREAM, 'content-encoding': 'gzip' }).end(gzipSync(said('x')));
    });
    expect((await failing(url)).message).toMatch(/compressed \(gzip\).*turn that off at its server/);
  });

  it('that is JSON but no answer is told as that', async () => {
    const url = await serving((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"hello":1}');
    });
    expect((await failing(url)).message).toMatch(/JSON that is not an answer.*baseURL/);
  });
});

describe('a request', () => {
  it('asks for a stream, with the key and without compression', async () => {
    const requests: { headers: IncomingMessage['headers']; body: unknown; url: string | undefined }[] = [];
    const url = await serving(async (request, response) => {
      let body = '';
      for await (const text of request.setEncoding('utf8')) body += text;
      requests.push({ headers: request.headers, body: JSON.parse(body), url: request.url });
      response.writeHead(200, EVENT_STREAM).end(said('x'));
    });
    const endpoint = { api: 'openai', baseURL: `${url}/` } as const;
    await ask({ ...endpoint, apiKey: 'the-key' });
    await ask({ ...endpoint, apiKey: 'the-key', token: 'the-token' });
    await ask({ ...endpoint, apiKey: '' });
    await ask(endpoint);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer the-key',
      'Bearer the-token',
      undefined,
      undefined,
    ]);
    const [first] = requests;
    expect(first?.url).toBe('/v1/chat/completions');
    expect(first?.headers).toMatchObject({ 'accept-encoding': 'identity', 'content-type': 'application/json' });
    expect(first?.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('uses a connection again, and asks at once over a new one when the server has closed it', async () => {
    const asked: number[] = [];
    const url = await rawly((socket, connection) => {
      socket.on('data', () => {
        const isFirst = !asked.includes(connection);
        asked.push(connection);
        // The second request over the first connection comes too late: the server was about to close it.
        if (connection > 1 || isFirst) socket.write(whole(`over ${connection}`));
        else socket.resetAndDestroy();
      });
    });
    expect(await ask(url)).toEqual(['over 1']);
    expect(await ask(url)).toEqual(['over 2']);
    expect(await ask(url)).toEqual(['over 2']);
    expect(asked).toEqual([1, 1, 2, 2]);
  });

  it('is not sent twice over a new connection, nor once something of an answer has come', async () => {
    let count = 0;
    const closing = await rawly((socket) => {
      socket.once('data', () => {
        count++;
        socket.resetAndDestroy();
      });
    });
    expect((await failing(closing)).message).toMatch(/connection to the model endpoint at .* failed \(ECONNRESET\)/);
    expect(count).toBe(1);
    const asked: number[] = [];
    const halfway = await rawly((socket, connection) => {
      socket.on('data', () => {
        asked.push(connection);
        if (asked.length === 1) socket.write(whole('first'));
        else socket.write('HTTP/1.1 200 O', () => socket.end());
      });
    });
    expect(await ask(halfway)).toEqual(['first']);
    expect(await failing(halfway)).toMatchObject({ errorType: 'modelUnreachable' });
    expect(asked).toEqual([1, 1]);
  });

  it.each([
    ['{"error":{"message":"no such field"}}', 'application/json', /rejected the request \(400\).*says: no such field$/],
    [
      `<html><body>${'Bad gateway. '.repeat(20_000)}</body></html>`,
      'text/html',
      /\(400\).*says: <html><body>Bad gateway/,
    ],
    ['', 'text/plain', /\(400\)\. It says: Bad Request$/],
  ])('that is refused says why (%#)', async (body, type, words) => {
    const url = await serving((_, response) => response.writeHead(400, { 'content-type': type }).end(body));
    const failure = await failing(url);
    expect(failure.message).toMatch(words);
    expect(failure.message.length).toBeLessThan(500);
  });

  it('that is refused in half a body says so much', async () => {
    const url = await rawly((socket) => {
      socket.once('data', () => {
        socket.end('HTTP/1.1 503 No\r\nretry-after: 3\r\ncontent-length: 100\r\n\r\nwe are clo');
      });
    });
    const failure = await failing(url);
    expect(failure).toMatchObject({ errorType: 'modelUnavailable', retryAfter: 3_000 });
    expect(failure.message).toMatch(/says: we are clo$/);
  });

  it('over which comes no HTTP fails as a connection', async () => {
    const url = await rawly((socket) => void socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')));
    expect(await failing(url)).toMatchObject({ errorType: 'modelUnreachable', isPassing: true });
  });

  it('fails when there is no TLS in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let onConnection = () => {};
    const connected = new Promise<void>((resolve) => (onConnection = resolve));
    const mute = (await rawly(() => onConnection())).replace('http:', 'https:');
    const failed = failing(mute);
    await connected;
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await failed).message).toMatch(/failed \(ETIMEDOUT\)/);
  });
});
