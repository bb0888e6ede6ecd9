import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ThinkTags } from '../../src/model/endpoint/think-tags.js';

/** What an answer amounts to, however it was cut into pieces. */
function heard(pieces: readonly string[]): { reasoning: string; text: string } {
  const tags = new ThinkTags();
  const said = { reasoning: '', text: '' };
  for (const { kind, text } of [...pieces.flatMap((piece) => tags.add(piece)), ...tags.end()]) said[kind] += text;
  return said;
}

it.each([
  ['<think>Hm.</think>\n\nYes.', { reasoning: 'Hm.', text: 'Yes.' }],
  ['\n<think>\nHm.\n</think>Yes.', { reasoning: '\nHm.\n', text: 'Yes.' }],
  ['<think>a < b </thin c</think>Yes.', { reasoning: 'a < b </thin c', text: 'Yes.' }],
  ['<think>never closed </th', { reasoning: 'never closed </th', text: '' }],
  ['Use <think>tags</think>.', { reasoning: '', text: 'Use <think>tags</think>.' }],
  ['<think>one</think>Then <think>two</think>.', { reasoning: 'one', text: 'Then <think>two</think>.' }],
  ['<thing>', { reasoning: '', text: '<thing>' }],
  ['<th', { reasoning: '', text: '<th' }],
  [' plain ', { reasoning: '', text: ' plain ' }],
])('tells thoughts in %j apart, in whatever pieces they come', (answer, expected) => {
  expect(heard([answer])).toEqual(expected);
  fc.assert(
    fc.property(fc.array(fc.nat(answer.length)), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), answer.length];
      const pieces = at.slice(1).map((end, index) => answer.slice(at[index], end));
      expect(heard(pieces)).toEqual(expected);
    }),
  );
});
