import { afterEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';

let bench: ChangesBench;
afterEach(() => bench.dispose());

describe('a file that is committed and ignored', () => {
  it('is seen when one turn removes it and the next writes it', async () => {
    bench = await ChangesBench.start({
      prepare: (b) => {
        b.commit({ '.gitignore': '*.cfg\n' });
        b.write('kept.cfg', 'one\n');
        b.git('add', '-f', 'kept.cfg');
        b.git('commit', '-q', '-m', 'Keep it');
      },
    });
    const removed = await bench.turn('/delete kept.cfg');
    const written = await bench.turn('/run echo two > kept.cfg; echo no > other.cfg');
    const shown = async (uri: string) =>
      (await bench.changeset(uri)).files.map(({ id, edit }) => [id, edit.diff?.added, edit.diff?.removed]);
    expect(await shown(bench.turnUri(removed))).toEqual([[bench.fileUri('kept.cfg'), 0, 1]]);
    expect(await shown(bench.turnUri(written))).toEqual([[bench.fileUri('kept.cfg'), 1, 0]]);
    expect(await shown(bench.uri({ kind: 'session' }))).toEqual([[bench.fileUri('kept.cfg'), 1, 1]]);
  });
});
