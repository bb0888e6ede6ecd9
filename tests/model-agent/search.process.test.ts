import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callsOf, shownIn, startTurn, turnEnd } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { calling, says, useModelAgent } from '../support/model-agent-rig.js';

const rig = useModelAgent();

describe('looking around', () => {
  it('needs no permission, and calls of one answer run at the same time', async () => {
    rig.write('notes.md', 'find me\nnot me\n');
    expect(
      await rig.results(
        { name: 'read', input: { path: 'kept.txt', offset: 2, limit: 1 } },
        { name: 'list', input: {} },
        { name: 'glob', input: { pattern: '**/*.md' } },
        { name: 'grep', input: { pattern: '^find', glob: '*.md' } },
      ),
    ).toEqual(['[lines 2 to 2 of 4]\ntwo', '.git/\nkept.txt\nnotes.md', 'notes.md', 'notes.md:1:find me']);
    const calls = callsOf((await rig.lastTurn()).responseParts);
    expect(calls.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
    expect(calls[0]).toMatchObject({ confirmed: 'not-needed', _meta: { 'moorage.readOnlyHint': true } });
    expect(calls.map(({ _meta }) => _meta?.toolKind)).toEqual(['read', undefined, 'search', 'search']); // V-31
  });

  it('ends at the folder of the session', async () => {
    symlinkSync('/etc', rig.at('link'));
    const outside = 'outside the session';
    const told = await rig.results(
      { name: 'read', input: { path: '/etc/passwd' } },
      { name: 'read', input: { path: 'link/passwd' } },
      { name: 'list', input: { path: '..' } },
      { name: 'grep', input: { pattern: 'root', path: 'link' } },
      { name: 'glob', input: { pattern: '**', path: '/etc' } },
      { name: 'grep', input: { pattern: 'root:' } },
      { name: 'write', input: { path: '../x.txt', content: 'x' } },
    );
    expect(told.map((text) => (text.includes(outside) ? outside : text))).toEqual([
      ...[outside, outside, outside, outside, outside],
      'No line matches.',
      outside,
    ]);
  });

  it('is told clearly what was wrong with a call', async () => {
    const told = await rig.results(
      { name: 'read', input: { file: 'kept.txt' } },
      { name: 'read', input: 'no json' },
      { name: 'nonsense', input: {} },
      { name: 'edit', input: { path: 'kept.txt', old: 'four', new: '4' } },
      { name: 'edit', input: { path: 'kept.txt', old: 'o', new: '0' } },
      { name: 'grep', input: { pattern: '(' } },
    );
    expect(told).toEqual([
      expect.stringMatching(/input of read is wrong at .*path/),
      expect.stringMatching(/not valid JSON/),
      expect.stringMatching(/no tool "nonsense"\. There are: read,/),
      expect.stringMatching(/does not contain "four"/),
      expect.stringMatching(/contains "o" 2 times/),
      expect.stringMatching(/no regular expression/),
    ]);
    expect((await rig.lastTurn()).state).toBe('complete');
  });

  it('cuts what is too long, and says so', async () => {
    rig.write('long.txt', 'x'.repeat(100_000));
    const [text = ''] = await rig.results({ name: 'read', input: { path: 'long.txt' } });
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(/\[\.\.\. \d+ characters were cut out here \.\.\.\]/.exec(text)?.[0]).toBe(
      '[... 60060 characters were cut out here ...]',
    );
  });
});

describe('searching', () => {
  it('ends an expression that would take for ever', async () => {
    const clock = new ManualClock();
    await rig.restart({ clock });
    rig.write('trap.txt', `${'a'.repeat(64)}!`);
    rig.model.queue(calling({ name: 'grep', input: { pattern: '^(a+)+$' } }), says('Done.'));
    await withRipgrep('exit 2', async () => {
      const turnId = startTurn(rig.client, rig.chat, 'search');
      await shownIn(rig.watcher, rig.chat, ({ activeTurn }) =>
        callsOf(activeTurn?.responseParts).find(({ status }) => status === 'running'),
      );
      const end = turnEnd(rig.client, rig.chat, turnId).then(() => true);
      // The worker may not have started yet, so the time goes on until the search has ended.
      while (!(await Promise.race([end, rig.client.sync().then(() => false)]))) clock.advance(10_000);
      expect(rig.model.requests.at(-1)?.results[0]).toMatch(/took too long/);
    });
  });

  it('is done by ripgrep where it is installed, and by ourselves where that fails', async () => {
    const answers = 'for arg; do last=$arg; done; echo "$last/kept.txt:2:two"; echo "$*" > "$PWD/args"';
    await withRipgrep(answers, async () => {
      const search = { name: 'grep', input: { pattern: '--pre=evil', glob: '*.txt', ignore_case: true } };
      expect(await rig.results(search)).toEqual(['kept.txt:2:two']);
      expect(rig.read('args')).toMatch(/^--no-config .*--ignore-case --glob=\*\.txt --regexp=--pre=evil -- \.\n$/);
    });
    await withRipgrep('exit 2', async () => {
      expect(await rig.results({ name: 'grep', input: { pattern: 't(?=wo)' } })).toEqual(['kept.txt:2:two']);
    });
  });
});

/** A stand-in: some machines that run tests have it and some do not. */
async function withRipgrep(script: string, run: () => Promise<void>): Promise<void> {
  const folder = join(rig.host.folder, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'rg'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'rg'), 0o755);
  const path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
  try {
    await run();
  } finally {
    process.env.PATH = path;
  }
}
