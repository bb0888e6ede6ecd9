import { join } from 'node:path';
import { fileUri } from '@moorage/protocol';
import { expect } from 'vitest';
import { commitAll, gitOutput } from '../support/repository.js';
import { chooseForAll, newSession, say, showChanges, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

inBrowser('a review of two repositories tells their files apart, and operations reach the right one', async (on) => {
  const at = (path: string) => join(on.workspace, path);
  for (const name of ['api', 'web']) {
    on.write(`${name}/src/same.txt`, 'one\ntwo\nthree\n');
    commitAll(at(name));
  }
  const git = (name: string, ...args: string[]) => gitOutput(at(name), ...args);
  const { page, complaints } = await on.page();
  await newSession(page, 'Demo', [fileUri(at('api')), fileUri(at('web'))]);
  await say(page, `/auto on\n/replace src/same.txt two => API\n/replace ${at('web/src/same.txt')} two => WEB`);
  await page.locator('.turn-foot').waitFor();
  await page.getByRole('button', { name: /Changes/ }).click();
  await showChanges(page, 'Uncommitted');
  const review = page.getByRole('region', { name: 'Review' });
  await review.getByText('0 of 2 viewed').waitFor();
  const heads = review.locator('.file-head');
  await expect.poll(() => heads.locator('.path').allTextContents()).toEqual(['api/src/same.txt', 'web/src/same.txt']);
  const rows = page.locator('.tree-row');
  await expect.poll(() => rows.count()).toBe(4); // a folder and a file of each
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, 'several-folders.png') });

  await review.getByRole('button', { name: 'Stage', exact: true }).last().click();
  await expect.poll(() => git('web', 'diff', '--cached', '--name-only')).toBe('src/same.txt\n');
  expect(git('api', 'diff', '--cached', '--name-only')).toBe('');

  await review.locator('.hunk-head [data-operation="revert"]').first().click();
  await review.getByRole('alertdialog').getByRole('button', { name: 'Revert' }).click();
  await expect.poll(() => on.read('api/src/same.txt')).toBe('one\ntwo\nthree\n');
  expect(on.read('web/src/same.txt')).toBe('one\nWEB\nthree\n');

  await chooseForAll(page, 'History');
  const dialog = page.getByRole('dialog', { name: 'History' });
  await dialog.getByRole('listitem', { name: /revert of src\/same\.txt/ }).waitFor();
  await dialog.getByLabel('Folder').selectOption({ label: 'web' });
  await dialog.getByRole('listitem', { name: /staging of src\/same\.txt/ }).waitFor();
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, 'several-histories.png') });
  expect(await dialog.getByRole('listitem', { name: /revert/ }).count()).toBe(0);
  await page.keyboard.press('Escape');
  expect(complaints).toEqual([]);
});
