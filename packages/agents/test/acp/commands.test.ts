import { expect, it } from 'vitest';
import { readCommands } from '../../src/acp/mapping/commands.js';

it('reads the commands that an agent offers, whatever it sends', () => {
  const commands = [
    { name: 'review', description: 'Looks at the changes', input: { hint: 'what to look at' } },
    { name: '/compact', description: 7, input: null },
    { name: '  ' },
    { description: 'has no name' },
    null,
    'text',
  ];
  expect(readCommands(commands)).toEqual([
    { name: 'review', description: 'Looks at the changes', hint: 'what to look at' },
    { name: 'compact', description: undefined, hint: undefined },
  ]);
  for (const nonsense of [undefined, null, 5, 'x', {}]) expect(readCommands(nonsense)).toEqual([]);
  expect(readCommands(Array.from({ length: 10_000 }, (_, n) => ({ name: `c${n}` })))).toHaveLength(500);
});
