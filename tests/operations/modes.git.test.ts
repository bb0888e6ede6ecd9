import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';

let bench: ChangesBench;
afterEach(() => bench.dispose());

async function start(prepare: () => void): Promise<void> {
  bench = await ChangesBench.start({
    prepare: (b) => {
      bench = b;
      b.commit({ 'a.txt': 'one\n', 'vault/key.pem': 'secret\n', 'vault/run.sh': 'echo\n' });
      chmodSync(join(b.folder, 'vault/run.sh'), 0o755);
      b.commit({});
      prepare();
    },
  });
}

const mode = (path: string) => (lstatSync(join(bench.folder, path)).mode & 0o7777).toString(8);
const restrict = () => {
  chmodSync(join(bench.folder, 'vault'), 0o2750);
  chmodSync(join(bench.folder, 'vault/key.pem'), 0o600);
  chmodSync(join(bench.folder, 'vault/run.sh'), 0o710);
};
const expectRestricted = () => {
  expect([mode('vault'), mode('vault/key.pem'), mode('vault/run.sh')]).toEqual(['2750', '600', '710']);
};

describe('permissions of what an operation brings back', () => {
  it('are those from before the turn that removed it, also after a restart', async () => {
    await start(restrict);
    const turn = bench.turnUri(await bench.turn('/delete vault/key.pem\n/delete vault/run.sh'));
    bench.remove('vault');
    await bench.comeBack();
    await bench.invoke(turn, 'revert');
    expectRestricted();
    await bench.invoke(turn, 'undo');
    expect(bench.has('vault')).toBe(false);
  });

  it('are those it had when the operation removed it', async () => {
    await start(() => bench.git('rm', '-q', '-r', 'vault'));
    const turn = bench.turnUri(await bench.turn('/write vault/key.pem new\\n'));
    chmodSync(join(bench.folder, 'vault'), 0o2750);
    chmodSync(join(bench.folder, 'vault/key.pem'), 0o600);
    await bench.invoke(turn, 'revert');
    expect(bench.has('vault')).toBe(false);
    await bench.invoke(turn, 'undo');
    expect([mode('vault'), mode('vault/key.pem')]).toEqual(['2750', '600']);
  });

  it('are those it had when a restore brings it back, and when that is undone', async () => {
    await start(restrict);
    const turn = bench.turnUri(await bench.turn('/write a.txt two\\n'));
    bench.remove('vault');
    mkdirSync(join(bench.folder, 'later'), { mode: 0o700 });
    bench.write('later/notes.txt', 'private\n');
    chmodSync(join(bench.folder, 'later/notes.txt'), 0o600);
    await bench.invoke(turn, 'restore');
    expectRestricted();
    expect(bench.has('later')).toBe(false);
    await bench.invoke(turn, 'undo');
    expect([mode('later'), mode('later/notes.txt')]).toEqual(['700', '600']);
  });

  it('are followed when they change while the host runs', async () => {
    await start(() => {});
    await bench.turn('/write a.txt two\\n');
    await bench.turn('/write a.txt three\\n');
    restrict();
    const turn = bench.turnUri(await bench.turn('/delete vault/key.pem\n/delete vault/run.sh'));
    await bench.invoke(turn, 'revert');
    expect([mode('vault/key.pem'), mode('vault/run.sh')]).toEqual(['600', '710']);
  });

  it('stay when only the content goes back', async () => {
    await start(restrict);
    const turn = bench.turnUri(await bench.turn('/write vault/key.pem changed\\n'));
    chmodSync(join(bench.folder, 'vault/key.pem'), 0o640);
    await bench.invoke(turn, 'revert');
    expect(mode('vault/key.pem')).toBe('640');
  });
});
