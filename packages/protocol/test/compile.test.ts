import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { compile as byUse } from '../src/validation/compile-by-use.js';
import { compile as toClosures } from '../src/validation/compile-closures.js';
import { compile as toCode } from '../src/validation/compile-generated.js';
import { loosen, loosenInside } from '../src/validation/loosen.js';
import { toPlainSchema } from '../src/validation/plain-schema.js';
import { arbitraryJson, arbitraryOf } from './support/arbitrary.js';
import { schemas } from './support/schemas.js';

/** Values of a schema, values with one part replaced or left out, and anything. */
function around(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const spoiled = fc
    .tuple(values, fc.nat(), fc.option(arbitraryJson, { nil: undefined }))
    .map(([value, at, part]) => spoil(value, at, part));
  return fc.oneof({ weight: 2, arbitrary: values }, { weight: 4, arbitrary: spoiled }, arbitraryJson);
}

/** Replaces one of the parts of a value, or leaves it out. */
function spoil(value: unknown, at: number, part: unknown): unknown {
  const text = JSON.stringify(value);
  if (text === undefined) return part;
  let parts = 0;
  JSON.parse(text, (_name, member) => {
    parts++;
    return member;
  });
  let index = 0;
  return JSON.parse(text, (_name, member) => (index++ === at % parts ? part : member));
}

describe('a validator in Node', () => {
  it('gets generated code once it is in steady use, and decides the same before, meanwhile and after', async () => {
    const generated = vi.fn();
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } } as const;
    // Generated code reads the schema again; closures have read it when they were made.
    const noticed = (of: typeof schema, name: string | symbol): unknown => {
      generated();
      return Reflect.get(of, name);
    };
    const check = byUse(new Proxy(schema, { get: noticed }));
    const decides = () => expect([check({ a: 1 }), check({ a: 'x' }), check({})]).toEqual([true, false, false]);
    decides();
    generated.mockClear();
    for (let use = 3; use < 480; use += 3) decides();
    await new Promise(setImmediate);
    expect(generated).not.toHaveBeenCalled();
    for (let use = 0; use < 60; use += 3) decides();
    await vi.waitFor(() => expect(generated).toHaveBeenCalled());
    decides();
  });
});

describe('the validators of browsers and those of Node', () => {
  it.each(schemas)('agree on %s', (_name, schema) => {
    const plain = toPlainSchema(schema);
    const pairs = [plain, loosen(plain), loosenInside(plain)].map((form) => [toClosures(form), toCode(form)] as const);
    fc.assert(
      fc.property(around(arbitraryOf(schema)), (value) => {
        expect(pairs.map(([inBrowsers]) => inBrowsers(value))).toEqual(pairs.map(([, inNode]) => inNode(value)));
      }),
      { numRuns: 15 },
    );
  });
});
