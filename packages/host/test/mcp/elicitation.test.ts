import { ChatInputRequestSchema, strict } from '@moorage/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerTo, questionsOf } from '../../src/services/mcp/elicitation.js';

describe('an elicitation of a server', () => {
  it('becomes a valid request, whatever the server sends', () => {
    const property = fc.dictionary(
      fc.constantFrom(
        'type',
        'title',
        'description',
        'enum',
        'oneOf',
        'items',
        'minimum',
        'maxLength',
        'minItems',
        'default',
        'format',
        'enumNames',
      ),
      fc.oneof(
        fc.constantFrom('string', 'number', 'integer', 'boolean', 'array'),
        fc.jsonValue({ maxDepth: 2 }),
        fc.array(fc.record({ const: fc.string(), title: fc.string() })),
      ),
    );
    const schema = fc.record({
      properties: fc.oneof(fc.dictionary(fc.string(), property), fc.jsonValue()),
      required: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.string(), schema, (message, form) => {
        expect(
          strict(ChatInputRequestSchema).explain(questionsOf('1', 'server', { message, schema: form })),
        ).toBeUndefined();
      }),
    );
  });

  it('is answered with the values that the user gave, without skipped ones', () => {
    const submitted = (value: object) => ({ state: 'submitted', value }) as never;
    const answers = {
      name: submitted({ kind: 'text', value: 'Ada' }),
      many: submitted({ kind: 'selected-many', value: ['a'], freeformValues: ['b'] }),
      no: { state: 'skipped' as const },
    };
    expect(answerTo({ response: 'accept', answers })).toEqual({
      action: 'accept',
      content: { name: 'Ada', many: ['a', 'b'] },
    });
    expect(answerTo({ response: 'decline' })).toEqual({ action: 'decline' });
  });
});
