import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes as they are and reads until the other side closes. */
export function rawExchange(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
    socket.write(request);
  });
}

export async function rawGet(port: number, path: string, headers: Record<string, string>): Promise<RawAnswer> {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, connection: 'close', ...headers });
  return parseAnswer(await rawExchange(port, `GET ${path} HTTP/1.1\r\n${headerLines(lines)}\r\n`));
}

/** Asks for a WebSocket and resolves with the answer's head, whether it is 101 or a refusal. */
export function rawUpgrade(port: number, path: string, headers: Record<string, string>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = openUpgrade(port, path, headers);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (text.startsWith('HTTP/1.1 101') && text.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(parseAnswer(text)));
  });
}

export function openUpgrade(port: number, path: string, headers: Record<string, string>): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.write(upgradeRequest(port, path, headers));
  return socket;
}

export function upgradeRequest(port: number, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.from('0123456789abcdef').toString('base64'),
    ...headers,
  });
  return `GET ${path} HTTP/1.1\r\n${headerLines(lines)}\r\n`;
}

function headerLines(lines: [string, string][]): string {
  return lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}

function parseAnswer(text: string): RawAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  return { status: Number(head.split(' ', 2)[1]), head, body };
}
