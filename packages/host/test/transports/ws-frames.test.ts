import { connect } from 'node:net';
import type { CloseInfo } from '@moorage/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeTextFrames } from '../../src/adapters/transport-ws/frames.js';
import { clog } from './support/clog.js';
import { startHost, type TestHost, TOKEN } from './support/host.js';
import { connectRaw } from './support/raw-client.js';
import { clientFrame, clientHeader, RawFrameReader } from './support/raw-frames.js';
import { upgradeRequest } from './support/raw-http.js';
import { soon } from './support/waiting.js';
import { connectWs } from './support/ws-client.js';

const MAX = 1000;

describe('frames from clients', () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost({ limits: { maxFrameBytes: MAX } });
  });
  afterAll(() => host.close());

  const connected = async () => {
    const incoming = host.next();
    const far = await connectRaw(host.port);
    const { transport: near } = await incoming;
    const received: string[] = [];
    const closes: CloseInfo[] = [];
    near.onMessage((text) => received.push(text));
    near.onClose((info) => closes.push(info));
    return { near, far, received, closes };
  };

  const bytes = (...values: number[]) => Buffer.from(values);
  it.each([
    ['binary', clientFrame(2, '{}'), 1003],
    ['too long', clientFrame(1, 'x'.repeat(MAX + 1)), 1009],
    ['promised too long', clientHeader(1, 2 ** 40), 1009],
    ['too long in fragments', Buffer.concat([clientFrame(1, 'x'.repeat(MAX), false), clientFrame(0, 'y')]), 1009],
    ['not UTF-8', clientFrame(1, bytes(0x22, 0xff, 0x22)), 1007],
    ['half a character', clientFrame(1, bytes(0xe2, 0x82)), 1007],
    ['a surrogate', clientFrame(1, bytes(0xed, 0xa0, 0x80)), 1007],
    ['not masked', bytes(0x81, 0x02, 0x7b, 0x7d), 1002],
    ['compressed', bytes(0xc1, 0x82, 0, 0, 0, 0, 0x7b, 0x7d), 1002],
    ['of an unknown kind', clientFrame(3, 'x'), 1002],
    ['a continuation of nothing', clientFrame(0, 'x'), 1002],
    ['a long ping', clientFrame(9, 'x'.repeat(126)), 1002],
  ])('%s: closed with a code', async (_name, frame, code) => {
    const { far, received, closes } = await connected();
    far.socket.write(frame);
    expect((await far.closed).code).toBe(code);
    await soon(() => expect(closes).toEqual([{ code, reason: expect.any(String) }]));
    expect(received).toEqual([]);
  });

  it('takes a message of exactly the bound, also in fragments with a ping between', async () => {
    const { near, far, received } = await connected();
    const text = 'ä'.repeat(MAX / 2);
    far.socket.write(clientFrame(1, text));
    const whole = Buffer.from(text);
    // The first fragment ends within a character.
    far.socket.write(clientFrame(1, whole.subarray(0, 501), false));
    far.socket.write(clientFrame(9, 'still here'));
    far.socket.write(clientFrame(0, whole.subarray(501)));
    await soon(() => expect(received).toEqual([text, text]));
    await soon(() => expect(far.frames).toEqual([{ opcode: 10, payload: Buffer.from('still here') }]));
    near.close();
  });

  it('delivers no part of a message from a socket that is cut at any byte of it', async () => {
    const frame = clientFrame(1, JSON.stringify({ text: 'ä'.repeat(80) }));
    const first = clientFrame(1, '1');
    for (let end = 0; end < frame.length; end++) {
      const { far, received, closes } = await connected();
      far.socket.write(Buffer.concat([first, frame.subarray(0, end)]));
      far.socket.end();
      await soon(() => expect(closes).toEqual([{ code: 1006 }]));
      expect(received).toEqual(['1']);
    }
  });

  it('survives a handshake that is cut at any byte', async () => {
    const request = upgradeRequest(host.port, '/', { authorization: `Bearer ${TOKEN}` });
    const before = host.incoming.length;
    for (let end = 0; end < request.length; end++) {
      const socket = connect(host.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      await new Promise((resolve) => socket.write(request.slice(0, end), resolve));
      socket.destroy();
    }
    const client = await connectWs(host.address);
    expect(host.incoming.length).toBe(before + 1);
    client.cut();
  });

  it('keeps frames that came together with the handshake, for who listens at once', async () => {
    const received: string[] = [];
    const early = await startHost({ onClient: ({ transport }) => transport.onMessage((text) => received.push(text)) });
    const socket = connect(early.port, '127.0.0.1');
    const request = upgradeRequest(early.port, '/', { authorization: `Bearer ${TOKEN}` });
    socket.write(Buffer.concat([Buffer.from(request), clientFrame(1, '1'), clientFrame(1, '2')]));
    await soon(() => expect(received).toEqual(['1', '2']));
    socket.destroy();
    await early.close();
  });

  it('keeps one pong, not thousands, for a client that pings and does not read', async () => {
    const { near, far } = await connected();
    far.pause();
    await clog(near);
    const backlog = near.backlog;
    for (let index = 0; index < 5000; index++) far.socket.write(clientFrame(9, `ping ${index}`));
    const arrived = new Promise<void>((resolve) => near.onMessage(() => resolve()));
    far.socket.write(clientFrame(1, '"behind the pings"'));
    await arrived;
    expect(near.backlog).toBeLessThanOrEqual(backlog);
    far.resume();
    const pongs = () => far.frames.filter(({ opcode }) => opcode === 10).map(({ payload }) => String(payload));
    await soon(() => expect(pongs()).toEqual(['ping 4999']));
    near.close();
  });
});

describe('encodeTextFrames', () => {
  it('says what a reader of RFC 6455 reads, however it is cut', () => {
    const size = fc.constantFrom(0, 1, 125, 126, 127, 65_535, 65_536, 70_000);
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      size.map((length) => 'x'.repeat(length)),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), fc.constantFrom(1, 3, 1000), (texts, cut) => {
        const piece = texts.some(({ length }) => length > 1000) ? 1000 + cut : cut;
        const bytes = Buffer.from(encodeTextFrames(texts));
        const reader = new RawFrameReader();
        const frames = [];
        for (let at = 0; at < bytes.length; at += piece) frames.push(...reader.push(bytes.subarray(at, at + piece)));
        expect(frames.map(({ payload }) => payload.toString())).toEqual(texts.map((t) => Buffer.from(t).toString()));
        expect(frames.every(({ opcode }) => opcode === 1)).toBe(true);
      }),
    );
  });
});
