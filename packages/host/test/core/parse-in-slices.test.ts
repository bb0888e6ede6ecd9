import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inSlices, parseInSlices } from '../../src/core/parse-in-slices.js';

it('gives what JSON.parse gives', async () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(objects, async (value) => {
      const json = JSON.stringify(value);
      expect(await parseInSlices(json, async () => {})).toEqual(JSON.parse(json));
    }),
  );
});

it('pauses while it parses a long list, and between the slices of one', async () => {
  const turns = Array.from({ length: 3_000 }, (_, id) => ({ id, text: `a "quoted" \\ [text], ${'x'.repeat(1_000)}` }));
  const state = { title: 'a,"turns":[', turns, last: { turns: [1] } };
  let pauses = 0;
  const pause = async () => {
    pauses++;
  };
  expect(await parseInSlices(JSON.stringify(state), pause)).toEqual(state);
  expect(pauses).toBeGreaterThan(3);
  const joined = turns.map((turn) => JSON.stringify(turn)).join(',');
  const seen: unknown[] = [];
  await inSlices(joined, 0, pause, (slice) => seen.push(...JSON.parse(`[${slice}]`)));
  expect(seen).toEqual(turns);
});
