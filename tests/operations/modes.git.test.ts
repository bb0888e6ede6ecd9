import { chmodSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
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

  it('are those of the file that the step removed, whatever was at its path since', async () => {
    await start(restrict);
    const turn = bench.turnUri(await bench.turn('/write secret.txt one\\n\n/write tool.sh two\\n'));
    chmodSync(join(bench.folder, 'secret.txt'), 0o600);
    chmodSync(join(bench.folder, 'tool.sh'), 0o640);
    await bench.invoke(turn, 'revert');
    for (const name of ['secret.txt', 'tool.sh']) bench.write(name, 'another\n');
    await bench.turn('/say the files are seen');
    for (const name of ['secret.txt', 'tool.sh']) bench.remove(name);
    await bench.turn('/say and that they are gone');
    await bench.comeBack();
    await bench.invoke(turn, 'undo');
    expect([mode('secret.txt'), mode('tool.sh')]).toEqual(['600', '640']);
  });
});

it('a folder that was empty is there again after an undo, and a link is the same link', async () => {
  await start(() => symlinkSync('../a.txt', join(bench.folder, 'vault/link')));
  const turn = bench.turnUri(await bench.turn('/delete vault/key.pem\n/delete vault/run.sh'));
  bench.remove('vault/link');
  chmodSync(join(bench.folder, 'vault'), 0o2770);
  mkdirSync(join(bench.folder, 'vault/inner'));
  const uncommitted = bench.uri({ kind: 'uncommitted' });
  await bench.invoke(turn, 'revert');
  expect(bench.read('vault/key.pem')).toBe('secret\n');
  await bench.invoke(turn, 'undo');
  expect(bench.has('vault/key.pem')).toBe(false);
  expect([bench.has('vault'), bench.has('vault/inner')]).toEqual([true, true]);
  bench.remove('vault/inner');
  await bench.invoke(uncommitted, 'revert');
  await bench.invoke(uncommitted, 'undo');
  expect([bench.has('vault/key.pem'), bench.has('vault'), mode('vault')]).toEqual([false, true, '2770']);
  symlinkSync('elsewhere', join(bench.folder, 'new-link'));
  await bench.invoke(uncommitted, 'revert', bench.resource('new-link'));
  expect(bench.has('new-link')).toBe(false);
  await bench.invoke(uncommitted, 'undo');
  expect(bench.tree()['new-link']).toBe('link elsewhere');
});

it('a file that is too large to be kept is not said to have changed', async () => {
  await start(() => {});
  const turn = bench.turnUri(await bench.turn('/say nothing'));
  bench.write('large.bin', Buffer.alloc(51 * 1024 * 1024, 1));
  const { message } = await bench.refused(turn, 'restore');
  expect(message).toContain('large.bin: the file is too large');
  expect(message).not.toContain('changed since');
});
