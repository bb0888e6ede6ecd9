import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frame, frameReader } from '../../src/adapters/workspace-git/helper-frames.js';

describe('frames between the host and its git helper', () => {
  it('come out as they went in, in pieces of any size', () => {
    const frames = fc.array(fc.record({ kind: fc.nat(255), id: fc.nat(0xffffffff), bytes: fc.uint8Array() }));
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 });
    fc.assert(
      fc.property(frames, sizes, (sent, pieces) => {
        const heard: { kind: number; id: number; bytes: number[] }[] = [];
        const read = frameReader(({ kind, id, bytes }) => heard.push({ kind, id, bytes: [...bytes] }));
        const all = Buffer.concat(sent.map(({ kind, id, bytes }) => frame(kind, id, Buffer.from(bytes))));
        for (let at = 0, index = 0; at < all.length; index++) {
          const size = pieces[index % pieces.length] ?? 1;
          read(all.subarray(at, at + size));
          at += size;
        }
        expect(heard).toEqual(sent.map((one) => ({ ...one, bytes: [...one.bytes] })));
      }),
    );
  });
});
