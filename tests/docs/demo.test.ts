import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SYNTAX } from '../../packages/agents/dist/demo/script/syntax.js';

const PAGE = readFileSync(new URL('../../docs/DEMO-AGENT.md', import.meta.url), 'utf8');
const documented = new Set(
  [...PAGE.matchAll(/^\| (`\/[^|]*(?:\\\|[^|]*)*)\|/gm)].flatMap(([, cell = '']) => steps(cell)),
);

it('docs/DEMO-AGENT.md lists every step, and no other', () => {
  expect(documented).toEqual(new Set(SYNTAX.keys()));
});

function steps(cell: string): string[] {
  return [...cell.matchAll(/`\/(\w+)/g)].map(([, step = '']) => step);
}
