import { expect, it } from 'vitest';
import { WireTransport } from '../../src/adapters/shared/transport/wire-transport.js';
import { encodeTextFrames, textFrameInPieces } from '../../src/adapters/transport-ws/frames.js';
import { silentLog } from '../../src/ports/index.js';

/** A network that takes what is written when it is told to, or at once. */
function network(isFast: boolean) {
  const writes: Uint8Array[] = [];
  const taken: (() => void)[] = [];
  const output = {
    writableLength: 0,
    write(bytes: Uint8Array, written: () => void) {
      writes.push(bytes);
      if (isFast) {
        process.nextTick(written);
        return true;
      }
      output.writableLength += bytes.length;
      taken.push(() => {
        output.writableLength -= bytes.length;
        written();
      });
      return true;
    },
  };
  const wire = { output, writable: true, encode: encodeTextFrames, inPieces: textFrameInPieces, end() {} };
  return { connection: new WireTransport(wire, silentLog), writes, take: () => taken.shift()?.() };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('turns a long frame into bytes one piece at a time, each when the network has taken the one before', async () => {
  const { connection, writes, take } = network(false);
  let drains = 0;
  connection.onDrain(() => drains++);
  const text = 'a😀'.repeat(1_000_000);
  connection.send(text);
  connection.send('after');
  expect(writes.length).toBe(0); // not in the turn in which the text was made
  await nextTurn();
  for (const written of [1, 2, 4]) {
    expect(writes.length).toBe(written);
    await nextTurn();
    expect(writes.length).toBe(written);
    expect(drains).toBe(0);
    take();
    await nextTurn();
  }
  take();
  expect(connection.backlog).toBe(0);
  expect(drains).toBe(1);
  expect(Math.max(...writes.map(({ length }) => length))).toBeLessThan(5 * 1024 * 1024);
  expect(Buffer.concat(writes).equals(encodeTextFrames([text, 'after']))).toBe(true);
});

it('says that all is written also when the network takes every piece at once', async () => {
  const { connection, writes } = network(true);
  const drained = new Promise<void>((resolve) => connection.onDrain(resolve));
  const texts = ['before', 'x'.repeat(5_000_000), 'between', 'y'.repeat(5_000_000)];
  for (const text of texts) connection.send(text);
  expect(connection.backlog).toBeGreaterThan(5_000_000);
  await drained;
  expect(connection.backlog).toBe(0);
  expect(Buffer.concat(writes).equals(encodeTextFrames(texts))).toBe(true);
});
