import { expect, it } from 'vitest';
import { attribute } from '../../src/services/changesets/authorship/attribute.js';

const version = (contentId: string) => ({ path: 'b.txt', contentId, mode: '100644' });
const texts = { read: async () => ['text\n'], write: async () => ({ contentId: 'written', size: 0 }) };

it('reports are found in the first look that shows their outcome, however many later ones show the same', async () => {
  const [old, made] = [version('old'), version('made')];
  const looks = [
    { version: old, startedAt: 10, endedAt: 12 },
    { version: made, startedAt: 20, endedAt: 50 }, // it began before both reports
    { version: made, startedAt: 35, endedAt: 51 },
    { version: made, startedAt: 60, endedAt: 61 },
  ];
  const reports = [
    { since: 21, at: 30, by: ['turn'], before: old, after: undefined }, // moved away
    { since: 31, at: 40, by: ['turn'], before: undefined, after: made },
  ];
  const steps = await attribute(looks, reports, () => ({ by: [] }), texts);
  expect(steps.map(({ by, before, after }) => [by, before?.contentId, after?.contentId])).toEqual([
    [['turn'], 'old', undefined],
    [['turn'], undefined, 'made'],
  ]);
});
