import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { InputOutcome, SpawnedChat, ToolDecision } from '@moorage/host/ports';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScript } from '../../src/demo/script/parse.js';
import { SYNTAX } from '../../src/demo/script/syntax.js';
import { emptyFolder, ISOLATIONS, makeFolder, openRig, removeFolder } from './support/rig.js';

/** More of them in `npm run test:faults`. */
const RUNS = Number(process.env.FAULTS_RUNS ?? 100);

const path = fc.constantFrom('a', 'b', 'dir/c', 'dir', 'link', 'away/x', '../x', 'dir/../../x', '.', 'bin');
const text = fc.constantFrom('x', 'one\\ntwo', '', '=>', '{}', '日本');
const goodLine = fc.oneof(
  fc.tuple(fc.constantFrom('write', 'append', 'rename'), path, fc.oneof(path, text)).map((words) => words.join(' ')),
  fc.tuple(fc.constantFrom('delete', 'read'), path).map((words) => words.join(' ')),
  fc.tuple(path, text, text).map(([file, from, to]) => `replace ${file} ${from} => ${to}`),
  fc.constantFrom('say hi there', 'think hm', 'stream 20', 'wait 0', 'ask Q | a', 'ask Q', 'spawn /say x', 'title T'),
  fc.constantFrom('usage 1 2', 'auto on', 'auto off', 'run ls', 'mcp a b', 'tool ring {}', 'tool none'),
);
const anyLine = fc.oneof(
  { weight: 8, arbitrary: goodLine.map((line) => `/${line}`) },
  { weight: 2, arbitrary: fc.string() },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...SYNTAX.keys()), fc.string()).map(([name, rest]) => `/${name} ${rest}`),
  },
  { weight: 1, arbitrary: fc.constantFrom('/fail x', '/crash') },
);
const message = fc.array(anyLine, { maxLength: 8 }).map((lines) => lines.join('\n'));

const decision = fc.constantFrom<ToolDecision>(
  { approved: true },
  { approved: true, toolInput: '{"path":"b","text":"edited"}' },
  { approved: true, toolInput: 'broken' },
  { approved: true, option: { id: 'allow-session', label: 'Allow for this session', kind: 'approve' } },
  { approved: false, reason: 'denied' },
  { approved: false, reason: 'skipped', message: 'later' },
);
const answer = fc.constantFrom<InputOutcome>({ response: 'accept', answers: {} }, { response: 'decline' });
const spawned = fc.constantFrom<SpawnedChat | Error>(
  { chat: 'c', outcome: { kind: 'complete' }, text: 'x' },
  { chat: 'c', outcome: { kind: 'error', error: { errorType: 'e', message: 'm' } }, text: '' },
  new Error('no more chats'),
);

const scenario = fc.record({
  message,
  steering: fc.array(message, { maxLength: 2 }),
  decisions: fc.infiniteStream(decision),
  answer,
  spawned,
  /** After how many events the user cancels; often never. */
  cancelAfter: fc.option(fc.nat(40)),
});

describe.each(ISOLATIONS)('random scripts, isolation %s', (isolation) => {
  it('always end in one outcome, with every call settled and nothing touched outside', async () => {
    const folder = makeFolder();
    const outside = makeFolder();
    const rig = await openRig({ isolation, folder });
    const property = fc.asyncProperty(scenario, async (given) => {
      emptyFolder(folder);
      emptyFolder(outside);
      writeFileSync(join(outside, 'x'), 'outside');
      writeFileSync(join(folder, 'bin'), Uint8Array.of(0, 1));
      symlinkSync(outside, join(folder, 'away'));
      symlinkSync('a', join(folder, 'link'));
      const { turn, outcome } = await rig.run(given.message, {
        steering: given.steering,
        decide: () => given.decisions.next().value,
        answer: () => given.answer,
        spawn: () => given.spawned,
        clientTools: [{ name: 'ring' }],
        callClientTool: () => ({ success: true, pastTenseMessage: 'Rang' }),
        onEvent: (_, current) => {
          if (current.events.length === given.cancelAfter) current.cancel();
        },
      });
      const ends = [given.message, ...given.steering].flatMap(parseScript).map((step) => step.kind);
      const mayFail = ends.includes('fail') || ends.includes('crash');
      if (!turn.signal.aborted) expect(['complete', mayFail ? 'error' : 'complete']).toContain(outcome.kind);
      if (outcome.kind === 'cancelled') expect(turn.signal.aborted).toBe(true);
      expect(readdirSync(dirname(folder))).toEqual(['work']);
      expect(readdirSync(outside)).toEqual(['x']);
      expect(readFileSync(join(outside, 'x'), 'utf8')).toBe('outside');
      expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.tmp'))).toEqual([]);
    });
    try {
      await fc.assert(property, { numRuns: isolation === 'none' ? RUNS : RUNS / 5 });
    } finally {
      await rig.provider.dispose();
      removeFolder(folder);
      removeFolder(outside);
    }
  });
});
