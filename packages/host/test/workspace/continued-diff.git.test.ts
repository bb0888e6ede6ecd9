import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { Git } from '../../src/adapters/shared/git/git.js';
import { Scratch } from '../../src/adapters/shared/git/scratch.js';
import { diff } from '../../src/adapters/workspace-git/comparing/git-diff.js';
import { describeContents, Sizes } from '../../src/adapters/workspace-git/comparing/sizes.js';
import { ObjectReader } from '../../src/adapters/workspace-git/objects/object-reader.js';
import { Objects } from '../../src/adapters/workspace-git/objects/objects.js';
import { openShadow } from '../../src/adapters/workspace-git/repository/shadow.js';
import { isNotHere } from '../../src/adapters/workspace-git/tiers.js';
import { apply, type Content, edits } from './edits.js';
import { Bench, describeChange } from './harness.js';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.dispose());

/** What is remembered of comparisons, and git, which is asked for all of it each time. */
async function followed() {
  const workspace = bench.open({ tracks: false }).open(bench.folder);
  const begin = await workspace.checkpoint({ freshness: 'exact' });
  const shadow = await openShadow(new Git(), bench.folder, join(bench.root, 'remembered', workspace.id));
  const reader = new ObjectReader(shadow.directory, nodeClock);
  const { continued, placeholders } = new Objects(shadow, reader, nodeClock, new Scratch(join(bench.root, 'scratch')));
  return {
    /** What git says, and what follows from what it said the last time, if anything does. */
    async look() {
      const state = await workspace.checkpoint({ freshness: 'exact' });
      const said = await describeContents(await diff(shadow, begin, state), new Sizes(reader), placeholders);
      const answer = await continued.compare(begin, state);
      const follows = isNotHere(answer) ? undefined : answer;
      if (!follows) continued.learn(begin, state, said);
      return { said, follows };
    },
    close: () => reader.close(),
  };
}

describe('a comparison that follows from the last one', () => {
  it('is what git says of both states, whatever moved, came and went before', async () => {
    const text = fc.array(fc.constantFrom('one\n', 'two\n', '\n', 'no end', '\0'), { maxLength: 6 });
    const inPlace = fc.array(fc.tuple(fc.nat(), text), { minLength: 1, maxLength: 3 });
    let certain = 0;
    await fc.assert(
      fc.asyncProperty(
        edits,
        edits,
        fc.array(inPlace, { minLength: 2, maxLength: 4 }),
        async (first, second, later) => {
          await bench.dispose();
          bench = new Bench();
          apply(bench.folder, first);
          bench.commit({ kept: 'kept\n', 'sub/kept': 'kept as well\n', '.gitattributes': '* text=auto\n' });
          const it = await followed();
          apply(bench.folder, second);
          await it.look();
          for (const some of later) {
            const files = filesIn(bench.folder);
            apply(
              bench.folder,
              some.map(([at, lines]): [string, Content] => [
                files[at % files.length] ?? 'kept',
                { kind: 'file', bytes: Buffer.from(lines.join('')) },
              ]),
            );
            const { said, follows } = await it.look();
            if (!follows) continue;
            certain++;
            expect(follows.map(describeChange)).toEqual(said.map(describeChange));
            expect(follows).toEqual(said); // with sizes
          }
          await it.close();
        },
      ),
      { numRuns: 15 },
    );
    expect(certain).toBeGreaterThan(15);
  }, 240_000);

  it('leaves all other changes the very objects that they were', async () => {
    bench.commit({ a: 'a\n', b: 'b\n', 'c/d': 'd\n', e: 'e\n' });
    const it = await followed();
    for (const path of ['a', 'c/d']) bench.write(path, 'edited\n');
    await it.look();
    bench.write('b', 'edited\n');
    const { follows: three = [] } = await it.look();
    expect(three.map(({ after }) => after?.path)).toEqual(['a', 'b', 'c/d']);
    bench.write('b', 'edited\nagain\n');
    const { follows: again = [] } = await it.look();
    expect([again[0] === three[0], again[1] === three[1], again[2] === three[2]]).toEqual([true, false, true]);
    bench.write('a', 'a\n');
    expect(
      (await it.look()).follows?.map(({ after }) => after?.path),
      'one is as it was',
    ).toEqual(['b', 'c/d']);
    await it.close();
  });

  it('is left to a new comparison where other files may be counted or moved otherwise', async () => {
    bench.commit({ a: 'a\n', b: 'b\n', '.gitattributes': '' });
    const it = await followed();
    bench.write('a', 'edited\n');
    await it.look();
    for (const change of [
      () => bench.write('new', 'b\n'),
      () => bench.remove('b'),
      () => bench.write('b', 'back\n'),
      () => bench.write('.gitattributes', 'a binary\n'),
    ]) {
      change();
      expect((await it.look()).follows).toBeUndefined();
    }
    await it.close();
  });
});

/** What can be edited where it is. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.map((path) => relative(folder, path)).filter((path) => !path.startsWith('.git'));
}
