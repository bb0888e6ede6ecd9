import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lenient, strict } from '../src/index.js';
import { explain } from '../src/validation/explain.js';
import { loosen } from '../src/validation/loosen.js';
import { toPlainSchema } from '../src/validation/plain-schema.js';
import { arbitraryOf } from './support/arbitrary.js';
import { mutated } from './support/mutate.js';
import { schemas } from './support/schemas.js';

describe.each(schemas)('%s', (_, schema) => {
  const valid = arbitraryOf(schema);
  const exact = toPlainSchema(schema);
  const loose = loosen(exact);

  it('accepts its own values, coming in and going out', () => {
    fc.assert(
      fc.property(valid, (value) => {
        expect(strict(schema).explain(value)).toBeUndefined();
        expect(lenient(schema).explain(value)).toBeUndefined();
      }),
      { numRuns: 10 },
    );
  });

  it('the compiled check and the explanation always agree', () => {
    fc.assert(
      fc.property(mutated(valid), (value) => {
        expect(strict(schema).check(value)).toBe(explain(exact, value) === undefined);
        expect(lenient(schema).check(value)).toBe(explain(loose, value) === undefined);
        if (strict(schema).check(value)) expect(lenient(schema).check(value)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
