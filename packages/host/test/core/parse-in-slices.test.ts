import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inSlices, parseInSlices, SLICE_CHARS } from '../../src/core/parse-in-slices.js';

it('gives what JSON.parse gives, wherever the text is cut into pieces', async () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(objects, fc.integer({ min: 1, max: 40 }), async (value, pieceLength) => {
      const json = JSON.stringify(value);
      expect(await parseInSlices(piecesOf(json, pieceLength), async () => {})).toEqual(JSON.parse(json));
    }),
  );
});

it('refuses a text that is cut off or goes on', async () => {
  const json = JSON.stringify({ title: 'a "b"', turns: [{ id: 1 }, [2]], last: true });
  const parsed = (text: string) => parseInSlices(piecesOf(text, 7), async () => {});
  for (let end = 0; end < json.length; end++) await expect(parsed(json.slice(0, end))).rejects.toThrow(SyntaxError);
  await expect(parsed(`[${json}]`)).rejects.toThrow(SyntaxError);
});

it('takes little at once, and pauses in between', async () => {
  const turns = Array.from({ length: 3_000 }, (_, id) => ({ id, text: `a "quoted" \\ [text], ${'x'.repeat(1_000)}` }));
  const state = { title: 'a,"turns":[', turns, last: { turns: [1] } };
  const json = JSON.stringify(state);
  let pauses = 0;
  const pause = async () => {
    pauses++;
  };
  expect(await parseInSlices(piecesOf(json, 500_000), pause)).toEqual(state);
  expect(pauses).toBeGreaterThan(json.length / SLICE_CHARS);

  const lengths: number[] = [];
  const seen: unknown[] = [];
  await inSlices(turns.map((turn) => JSON.stringify(turn)).join(','), pause, (slice) => {
    lengths.push(slice.length);
    seen.push(...JSON.parse(`[${slice}]`));
  });
  expect(seen).toEqual(turns);
  expect(Math.max(...lengths)).toBeLessThan(SLICE_CHARS + JSON.stringify(turns.at(-1)).length + 1);
});

function* piecesOf(text: string, length: number): Generator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}
