import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventStream } from '../../src/model/endpoint/event-stream.js';
import { MAX_ANSWER_CHARS } from '../../src/model/limits.js';

function read(pieces: readonly string[]): unknown[] {
  const stream = new EventStream();
  return [...pieces.flatMap((piece) => stream.add(piece)), ...stream.end()];
}

it('reads the same events however the text is cut, with any line ends, and among comments and names', () => {
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
  const noise = fc.constantFrom('', ': processing', 'event: message', 'id: 7', 'retry: 10');
  const event = fc.record({
    noise,
    value: fc.record({ text: fc.string({ unit: 'grapheme' }) }),
    isTight: fc.boolean(),
  });
  const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), lineEnd, cuts, (events, end, sizes) => {
      const lines = events.flatMap(({ noise, value, isTight }) => {
        const data = `data:${isTight ? '' : ' '}${JSON.stringify(value)}`;
        return noise === '' ? [data, ''] : [noise, data, ''];
      });
      const whole = [...lines, 'data: [DONE]', '', ''].join(end);
      const pieces: string[] = [];
      for (let at = 0, turn = 0; at < whole.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        pieces.push(whole.slice(at, at + size));
        at += size;
      }
      expect(read(pieces)).toEqual(events.map(({ value }) => value));
    }),
  );
});

it('has an event as soon as its line has ended', () => {
  const stream = new EventStream();
  expect(stream.add('data: {"a":')).toEqual([]);
  expect(stream.add('1}\r')).toEqual([{ a: 1 }]);
  expect(stream.add('\n\r\n')).toEqual([]);
});

it('reads events without empty lines between them, and JSON in several lines', () => {
  expect(read(['data: {"a":1}\ndata: {"a":2}\n'])).toEqual([{ a: 1 }, { a: 2 }]);
  expect(read(['data: {\r\n', 'data: "a": 1\r', '\ndata: }\r\n\r\n'])).toEqual([{ a: 1 }]);
});

it('reads the last line although it has no end', () => {
  expect(read(['data: {"a":1}\n\ndata: {"a":2}'])).toEqual([{ a: 1 }, { a: 2 }]);
});

it('takes data that is no JSON for an error, in the middle and at the end', () => {
  expect(() => read(['data: {"choices": broken\n\n'])).toThrow(/no JSON: \{"choices": broken/);
  expect(() => read(['data: {"choices": [{"de'])).toThrow(/no JSON/);
});

it('ends a line that does not end', () => {
  const stream = new EventStream();
  const long = `data: "${'x'.repeat(1024 * 1024)}`;
  expect(() => {
    for (let chars = 0; chars <= MAX_ANSWER_CHARS; chars += long.length) stream.add(long);
  }).toThrow(/would not stop talking/);
});
