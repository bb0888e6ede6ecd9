import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Bus, BusMessage } from '../ports/bus.js';

/** Gives the suite members of one bus, and takes the bus away from them. */
export interface BusUnderTest {
  /** Another connection to the same bus. */
  connect(): Promise<Bus>;
  /** The bus is gone, as after a kill. */
  stop(): Promise<void>;
  /** Restarts the broker. */
  restart(): Promise<void>;
  /** Called after each test. */
  end(): Promise<void>;
}

/** The contract of Bus, as a vitest suite. */
export function describeBus(name: string, start: () => Promise<BusUnderTest>): void {
  describe(`${name} is a Bus`, () => {
    let under: BusUnderTest;
    beforeAll(async () => {
      under = await start();
    });
    afterAll(() => under.end());

    /** A word that no other test uses. */
    const word = () => `t${crypto.randomUUID().slice(0, 8)}`;
    const collect = (bus: Bus, pattern: string) => {
      const received: BusMessage[] = [];
      const subscription = bus.subscribe(pattern, (message) => received.push(message));
      return { received, texts: () => received.map(({ body }) => text(body)), subscription };
    };

    it('delivers to every subscriber, in the order of the publisher, byte by byte', async () => {
      const [a, b, c] = [await under.connect(), await under.connect(), await under.connect()];
      const subject = `${word()}.x`;
      const all = [collect(b, subject), collect(c, subject), collect(a, subject)];
      await Promise.all([a.flush(), b.flush(), c.flush()]);
      const sent = Array.from({ length: 2_000 }, (_, index) => `${index}`);
      for (const item of sent) a.publish(subject, bytes(item));
      for (const { texts } of all) await soon(() => expect(texts()).toEqual(sent));
      const odd = Uint8Array.from({ length: 256 }, (_, index) => index);
      a.publish(subject, odd);
      await soon(() => expect([...(all[0]?.received.at(-1)?.body ?? [])]).toEqual([...odd]));
      await Promise.all([a.close(), b.close(), c.close()]);
    });

    it('carries messages as long as it says', async () => {
      const [a, b] = [await under.connect(), await under.connect()];
      const subject = word();
      const { received } = collect(b, subject);
      await b.flush();
      a.publish(subject, new Uint8Array(0));
      a.publish(subject, new Uint8Array(a.maxBytes).fill(7));
      await soon(() => expect(received.map(({ body }) => body.length)).toEqual([0, a.maxBytes]));
      await Promise.all([a.close(), b.close()]);
    });

    it('keeps what was published, whatever the publisher does with its buffer', async () => {
      const [a, b] = [await under.connect(), await under.connect()];
      const subject = word();
      const { texts } = collect(b, subject);
      await b.flush();
      const buffer = bytes('one');
      a.publish(subject, buffer);
      await a.flush();
      buffer.fill(0);
      await soon(() => expect(texts()).toEqual(['one']));
      await Promise.all([a.close(), b.close()]);
    });

    it.each([
      ['a.b', ['a.b'], ['a', 'a.b.c', 'a.c']],
      ['a.*.c', ['a.b.c', 'a.x.c'], ['a.c', 'a.b.b.c', 'a.b']],
      ['a.>', ['a.b', 'a.b.c'], ['a', 'b.a']],
    ])('understands the pattern %s', async (pattern, matching, others) => {
      const bus = await under.connect();
      const base = word();
      const { received } = collect(bus, `${base}.${pattern}`);
      await bus.flush();
      for (const subject of [...others, ...matching]) bus.publish(`${base}.${subject}`, bytes(''));
      await soon(() => expect(received.map(({ subject }) => subject)).toEqual(matching.map((it) => `${base}.${it}`)));
      await bus.close();
    });

    it('delivers nothing once a subscription has ended', async () => {
      const [a, b] = [await under.connect(), await under.connect()];
      const subject = word();
      const [ended, other] = [collect(b, subject), collect(b, subject)];
      await b.flush();
      a.publish(subject, bytes('first'));
      await soon(() => expect(ended.texts()).toEqual(['first']));
      ended.subscription.end();
      ended.subscription.end();
      await b.flush();
      a.publish(subject, bytes('second'));
      await soon(() => expect(other.texts()).toEqual(['first', 'second']));
      expect(ended.texts()).toEqual(['first']);
      await Promise.all([a.close(), b.close()]);
    });

    it('answers requests, many at a time, each with its own answer', async () => {
      const [a, b] = [await under.connect(), await under.connect()];
      const base = word();
      b.serve(`${base}.*`, async ({ subject, body }) => bytes(`${subject.split('.').at(-1)}:${text(body)}`));
      await b.flush();
      const asked = Array.from({ length: 200 }, (_, index) => `${index}`);
      const answers = await Promise.all(asked.map((item) => a.request(`${base}.x${item}`, bytes(item), LONG)));
      expect(answers.map(text)).toEqual(asked.map((item) => `x${item}:${item}`));
      await Promise.all([a.close(), b.close()]);
    });

    it('gives each request to one of a group, and to another when that one is gone', async () => {
      const [a, b, c] = [await under.connect(), await under.connect(), await under.connect()];
      const subject = word();
      const served: string[] = [];
      const serve = (bus: Bus, name: string) =>
        bus.serve(
          subject,
          async () => {
            served.push(name);
            return bytes(name);
          },
          'group',
        );
      const first = serve(b, 'b');
      serve(c, 'c');
      await Promise.all([b.flush(), c.flush()]);
      for (let n = 0; n < 20; n++) await a.request(subject, bytes(''), LONG);
      expect(served.length).toBe(20);
      first.end();
      await b.flush();
      expect(text(await a.request(subject, bytes(''), LONG))).toBe('c');
      await Promise.all([a.close(), b.close(), c.close()]);
    });

    it('says why there is no answer', async () => {
      const [a, b] = [await under.connect(), await under.connect()];
      const subject = word();
      await expect(a.request(subject, bytes(''), LONG)).rejects.toMatchObject({ name: 'BusError', kind: 'unserved' });
      b.serve(subject, () => Promise.reject(new Error('no')));
      await b.flush();
      await expect(a.request(subject, bytes(''), 50)).rejects.toMatchObject({ name: 'BusError', kind: 'late' });
      const waiting = a.request(subject, bytes(''), LONG);
      const outcome = expect(waiting).rejects.toMatchObject({ name: 'BusError', kind: 'down' });
      await a.close();
      await outcome;
      await expect(a.request(subject, bytes(''), LONG)).rejects.toMatchObject({ kind: 'down' });
      expect(a.isUp).toBe(false);
      await b.close();
    });

    it('tells when it is down and up again, loses what is said meanwhile, and keeps subscriptions', async () => {
      const [a, b] = [await under.connect(), await under.connect()];
      const subject = word();
      const states: boolean[] = [];
      const { end } = a.onState((isUp) => states.push(isUp));
      const { texts } = collect(b, subject);
      await b.flush();
      expect([a.isUp, b.isUp]).toEqual([true, true]);
      await under.stop();
      await soon(() => expect([states, a.isUp, b.isUp]).toEqual([[false], false, false]));
      a.publish(subject, bytes('lost'));
      await expect(a.flush()).rejects.toMatchObject({ kind: 'down' });
      await expect(a.request(subject, bytes(''), LONG)).rejects.toMatchObject({ kind: 'down' });
      await under.restart();
      await soon(() => expect([states, a.isUp, b.isUp]).toEqual([[false, true], true, true]));
      await b.flush();
      a.publish(subject, bytes('kept'));
      await soon(() => expect(texts()).toEqual(['kept']));
      end();
      await Promise.all([a.close(), b.close()]);
    });
  });
}

/** Milliseconds for what must happen, on the slowest machine. */
const LONG = 30_000;

function bytes(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function text(value: Uint8Array): string {
  return new TextDecoder().decode(value);
}

function soon(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: LONG, interval: 5 });
}
