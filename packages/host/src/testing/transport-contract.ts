import type { CloseInfo } from '@moorage/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ClientTransport, FrameBatch } from '../ports/index.js';

/** The client's end of a connection under test. It should share no code with the adapter. */
export interface FarEnd {
  /** Every message that has arrived, in order. */
  readonly received: readonly string[];
  /** Sends as the client does. */
  send(text: string): void;
  /** Stops reading from the network, until `resume`. */
  pause(): void;
  /** Reads on. */
  resume(): void;
  /** Closes the connection properly. */
  close(): void;
  /** Breaks the connection without a closing handshake. */
  cut(): void;
  /** How the connection ended. */
  readonly closed: Promise<CloseInfo>;
}

/** Gives the suite both ends of new connections. */
export interface TransportHarness {
  /** A connection with both of its ends. */
  connect(): Promise<{ near: ClientTransport; far: FarEnd }>;
  /** Whether the carrier transmits close codes. */
  readonly carriesCloseCode: boolean;
  /** Called after each test. */
  stop(): Promise<void>;
}

/** The contract of ClientTransport, as a vitest suite. All messages are JSON texts, because some carriers take nothing else. */
export function describeTransport(name: string, start: () => Promise<TransportHarness>): void {
  describe(`${name} is a ClientTransport`, () => {
    let harness: TransportHarness;
    beforeAll(async () => {
      harness = await start();
    });
    afterAll(() => harness.stop());

    const connected = async () => {
      const { near, far } = await harness.connect();
      const received: string[] = [];
      const closes: CloseInfo[] = [];
      near.onMessage((text) => received.push(text));
      near.onClose((info) => closes.push(info));
      return { near, far, received, closes };
    };

    it('delivers in order, both ways', async () => {
      const { near, far, received } = await connected();
      const sent = numbered(2000);
      for (const text of sent) {
        near.send(text);
        far.send(text);
      }
      await soon(() => expect(far.received).toEqual(sent));
      await soon(() => expect(received).toEqual(sent));
      near.close();
    });

    it('delivers whole messages of every size and script', async () => {
      const { near, far, received } = await connected();
      const sizes = [0, 1, 122, 123, 124, 125, 126, 127, 65_532, 65_533, 65_534, 65_535, 65_536, 1_000_000];
      const texts = [...UNICODE, ...sizes.map((size) => 'x'.repeat(size)), 'ä€😀'.repeat(100_000)];
      const sent = texts.map((text) => JSON.stringify(text));
      for (const text of sent) {
        near.send(text);
        far.send(text);
      }
      near.sendBatch(new FrameBatch(sent));
      await soon(() => expect(far.received.length).toBe(2 * sent.length));
      expect(far.received).toEqual([...sent, ...sent]);
      await soon(() => expect(received).toEqual(sent));
      near.close();
    });

    it('delivers very long messages in order with others, and before it closes', async () => {
      const { near, far } = await connected();
      const long = (text: string) => JSON.stringify(text.repeat(1_100_000));
      const sent = [long('x'), '1', long('a😀'), long('€'), '2', '3', long('ä')];
      near.send(sent[0] ?? '');
      near.send(sent[1] ?? '');
      near.sendBatch(new FrameBatch(sent.slice(2, 5)));
      expect(near.backlog).toBeGreaterThan(0);
      await soon(() => expect(far.received.length).toBe(5));
      near.send(sent[5] ?? '');
      near.send(sent[6] ?? '');
      near.close();
      await far.closed;
      expect(far.received.map((text, index) => text === sent[index])).toEqual(sent.map(() => true));
      expect(far.received.length).toBe(sent.length);
    });

    it('keeps the order of send and sendBatch, whatever the mix', async () => {
      const step = fc.oneof(
        fc.integer({ min: 0, max: 200 }),
        fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 5 }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
          const { near, far } = await connected();
          const expected: string[] = [];
          const frame = (size: number) => JSON.stringify([expected.length, 'é'.repeat(size)]);
          for (const sizes of steps) {
            const frames = [sizes].flat().map((size) => {
              const text = frame(size);
              expected.push(text);
              return text;
            });
            if (Array.isArray(sizes)) near.sendBatch(new FrameBatch(frames));
            else for (const text of frames) near.send(text);
          }
          await soon(() => expect(far.received).toEqual(expected));
          near.close();
        }),
        { numRuns: 30 },
      );
    });

    it('encodes a batch once for many clients', async () => {
      const clients = await Promise.all([connected(), connected(), connected()]);
      const batch = new FrameBatch(numbered(16));
      const encoded = vi.spyOn(batch, 'encoded');
      for (const { near } of clients) near.sendBatch(batch);
      for (const { far } of clients) await soon(() => expect(far.received).toEqual(batch.frames));
      expect(encoded).toHaveBeenCalledTimes(3);
      expect(new Set(encoded.mock.results.map(({ value }) => value)).size).toBe(1);
      for (const { near } of clients) near.close();
    });

    it('reports its backlog while the other side does not read, and when it is gone', async () => {
      const { near, far } = await connected();
      let drains = 0;
      near.onDrain(() => {
        expect(near.backlog).toBe(0);
        drains++;
      });
      far.pause();
      const frame = JSON.stringify('x'.repeat(50_000));
      const sent = await fill(near, frame, 1_000_000);
      drains = 0;
      const backlog = near.backlog;
      near.sendBatch(new FrameBatch([frame, frame]));
      expect(near.backlog).toBeGreaterThanOrEqual(backlog + 2 * frame.length);
      expect(drains).toBe(0);
      far.resume();
      await soon(() => expect(drains).toBe(1));
      await soon(() => expect(far.received.length).toBe(sent + 2));
      expect(near.backlog).toBe(0);
      near.close();
    });

    it('also reports when a small backlog is gone', async () => {
      const { near, far } = await connected();
      let drains = 0;
      near.onDrain(() => drains++);
      far.pause();
      await fill(near, JSON.stringify('x'.repeat(2_000)), 1);
      drains = 0;
      far.resume();
      await soon(() => expect(drains).toBe(1));
      near.close();
    });

    it('closes once, after what was sent before, and sends nothing afterwards', async () => {
      const { near, far, received, closes } = await connected();
      const late: CloseInfo[] = [];
      near.send('"before"');
      near.close(4000, 'enough');
      near.close(4001, 'again');
      near.send('"after"');
      near.sendBatch(new FrameBatch(['"after"']));
      far.send('"too late"');
      expect(closes).toEqual([]);
      const info = await far.closed;
      if (harness.carriesCloseCode) expect(info).toEqual({ code: 4000, reason: 'enough' });
      near.onClose((info) => late.push(info));
      await soon(() => expect(late.length).toBe(1));
      expect(far.received).toEqual(['"before"']);
      expect(received).toEqual([]);
      expect(closes).toEqual([{ code: 4000, reason: 'enough' }]);
      expect(late).toEqual(closes);
      expect(near.backlog).toBe(0);
    });

    it.each(['close', 'cut'] as const)('notices when the other side is gone (%s)', async (how) => {
      const { near, far, received, closes } = await connected();
      far.send('"last words"');
      await soon(() => expect(received).toEqual(['"last words"']));
      far[how]();
      await soon(() => expect(closes.length).toBe(1));
      near.send('"anyone?"');
      near.sendBatch(new FrameBatch(['"anyone?"']));
      near.close(1000);
      const late = await new Promise<CloseInfo>((resolve) => near.onClose(resolve));
      expect([late]).toEqual(closes);
      expect(received).toEqual(['"last words"']);
    });

    it('never throws for a code or reason that cannot be transmitted', async () => {
      for (const code of [0, -1, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65_536, 1000.5, Number.NaN]) {
        const { near, far } = await connected();
        near.close(code, 'no such code');
        await far.closed;
      }
      const { near, far } = await connected();
      near.close(1008, '😀'.repeat(100));
      await far.closed;
    });

    it('survives a listener that throws, by closing only its own connection', async () => {
      const [broken, whole] = [await connected(), await connected()];
      broken.near.onMessage(() => {
        throw new Error('a bug of ours');
      });
      broken.far.send('1');
      whole.far.send('2');
      await soon(() => expect(broken.closes).toEqual([{ code: 1011, reason: 'internal error' }]));
      await soon(() => expect(whole.received).toEqual(['2']));
      whole.near.close();
    });
  });
}

const UNICODE = [
  '',
  'ä',
  '€',
  '😀',
  '👩‍👩‍👧‍👦',
  'אבג',
  '\u0000',
  '\u2028\u2029',
  '\ufeffBOM',
  '\r\n',
  '\ud800',
  '\u007f\u0080',
];

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => JSON.stringify({ index }));
}

/** Sends a frame until the backlog stays at `bytes` or more. Returns how many times it was sent. */
async function fill(near: ClientTransport, frame: string, bytes: number): Promise<number> {
  for (let sent = 1; ; sent++) {
    near.send(frame);
    // The backlog may be taken in the next turn (TLS), or a little later when the system has enlarged its buffers.
    if (near.backlog >= bytes) await new Promise((resolve) => setTimeout(resolve, 0));
    if (near.backlog >= bytes) await new Promise((resolve) => setTimeout(resolve, 50));
    if (near.backlog >= bytes) return sent;
  }
}

function soon(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 30_000, interval: 2 });
}
