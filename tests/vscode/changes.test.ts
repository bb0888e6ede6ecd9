import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLICK, HAS_CHANGES_PILL, LONG, VscodeBench } from './support/bench.js';

let vscode: VscodeBench;
beforeAll(async () => {
  vscode = await VscodeBench.start();
  await vscode.choose('Demo');
});
afterAll(() => vscode?.end());

it('says in the conversation what a turn changed (V-51)', async () => {
  await vscode.send('/auto on\n/replace a.py 1 => 2\n/write new.py def twice(x): return 2 * x\\n\n/say done');
  await vscode.shows('done');
  await vscode.idle();
  await expect.poll(() => vscode.conversation(), LONG).toMatch(/2 files changed\s+\+2\s*-1/i);
  await vscode.picture('changes');
});

const itCounts = it.skipIf(!HAS_CHANGES_PILL);
itCounts('counts what a session changed, and shows the files by name with their language (V-51, V-52)', async () => {
  await expect.poll(() => vscode.changesPill.innerText(CLICK), LONG).toMatch(/2 Files\s+\+2\s+-1/);
  await vscode.changesPill.click(CLICK);
  const files = vscode.page.locator('.multiDiffEntry');
  const names = async () => (await files.locator('.header').allInnerTexts()).map((text) => text.split('\n')[0]);
  await expect.poll(names, LONG).toEqual(['a.py', 'new.py']);
  // Text of an unknown language has one colour.
  const colours = () =>
    files
      .last()
      .locator('.view-line span[class^=mtk]')
      .evaluateAll((spans) => new Set(spans.map((span) => span.className)).size);
  await expect.poll(colours, LONG).toBeGreaterThan(2);
  await vscode.picture('diff');
});

it('met nothing that the host refused, and nothing that it could not show', () => {
  expect(vscode.complaints).toEqual([]);
});
