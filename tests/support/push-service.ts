import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Takes what hosts POST, on loopback: a push service, or whatever a webhook leads to. */
export class PostReceiver {
  readonly received: Received[] = [];
  /** What it answers with. */
  status = 201;
  readonly #server: Server;
  #changed: (() => void)[] = [];

  static async start(): Promise<PostReceiver> {
    const receiver = new PostReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      this.received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(this.status, { Location: `${this.origin}/redirected` }).end();
      for (const wake of this.#changed.splice(0)) wake();
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Waits for the nth request. */
  async request(count = 1): Promise<Received> {
    for (;;) {
      const found = this.received[count - 1];
      if (found) return found;
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A browser's side of Web Push: it has the private key, so only it can read what the host sends (RFC 8291). */
export class PushSubscriber {
  readonly #ecdh = createECDH('prime256v1');
  readonly #auth = randomBytes(16);
  readonly endpoint: string;

  constructor(endpoint: string) {
    this.#ecdh.generateKeys();
    this.endpoint = endpoint;
  }

  get subscription() {
    const keys = { p256dh: this.#ecdh.getPublicKey('base64url'), auth: this.#auth.toString('base64url') };
    return { endpoint: this.endpoint, keys };
  }

  /** The text of a message, after checking that it was signed with the host's key for this push service. */
  read({ headers, body }: Received, publicKey: string): unknown {
    checkVapid(String(headers.authorization), new URL(this.endpoint).origin, publicKey);
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error('not encrypted as RFC 8188 says');
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + (body[20] ?? 0));
    const content = body.subarray(21 + sender.length);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#ecdh.getPublicKey(), sender]);
    const secret = derive(this.#auth, this.#ecdh.computeSecret(sender), info, 32);
    const key = derive(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = derive(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12);
    const cipher = createDecipheriv('aes-128-gcm', key, nonce);
    cipher.setAuthTag(content.subarray(-16));
    const padded = Buffer.concat([cipher.update(content.subarray(0, -16)), cipher.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  }
}

function derive(salt: Buffer, secret: Buffer, info: Buffer, length: number): Buffer {
  const key = createHmac('sha256', salt).update(secret).digest();
  return createHmac('sha256', key)
    .update(info)
    .update(Buffer.from([1]))
    .digest()
    .subarray(0, length);
}

/** RFC 8292: a token for this push service, signed with the key that the browser subscribed with. */
function checkVapid(authorization: string, audience: string, publicKey: string): void {
  const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  if (key !== publicKey) throw new Error(`signed with another key: ${authorization}`);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const verifier = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${header}.${payload}`);
  const isRight = verify(
    'sha256',
    signed,
    { key: verifier, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { aud } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { aud: string };
  if (!isRight || aud !== audience) throw new Error('the signature is wrong, or for another push service');
}
