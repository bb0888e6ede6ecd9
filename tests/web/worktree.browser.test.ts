import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { composer, newPrompt, say, showChanges, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

describe('a session in a work tree', () => {
  inBrowser('is made with the form, reviewed, and deleted with word of what stays', async (on) => {
    on.write('code.txt', 'one\ntwo\n');
    on.commit();
    on.git('branch', 'release/1');
    on.git('branch', 'release/2<b>x');
    on.write('code.txt', 'one\nnot on the branch\n');
    on.commit();
    const { page, complaints } = await on.page();
    const prompt = await newPrompt(page);
    await prompt.getByLabel('Isolation').selectOption('Work tree');
    const base = prompt.getByRole('combobox', { name: 'Base branch' });
    await base.click();
    await base.fill('release');
    await prompt.getByRole('option', { name: 'release/2<b>x' }).waitFor();
    await prompt.getByRole('option', { name: 'release/1' }).click();
    expect(await base.inputValue()).toBe('release/1');
    await prompt.getByRole('button', { name: 'Settings' }).click();
    await prompt.getByLabel('Branch name').fill('try/this');
    await prompt.getByLabel('First message').fill('/say In a tree of its own');
    await prompt.getByRole('button', { name: 'Start session' }).click();
    await composer(page).waitFor();
    await page.locator('.session-head .branch', { hasText: 'try/this' }).waitFor();
    await say(page, '/title In a tree\n/auto on\n/replace code.txt two => three');
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = page.getByRole('region', { name: 'Review' });
    await review.locator('.diff-line.removed', { hasText: 'two' }).waitFor();
    await review.locator('.diff-line.added', { hasText: 'three' }).waitFor();
    expect(on.read('code.txt')).toBe('one\nnot on the branch\n');
    expect(on.git('branch', '--list', 'try/this')).toContain('try/this');
    const path = on.git('worktree', 'list').split('\n')[1]?.split(' ')[0] ?? '';
    expect(readFileSync(join(path, 'code.txt'), 'utf8')).toBe('one\nthree\n');
    await showChanges(page, 'Branch (against release/1)');
    await review.locator('.diff-line.added', { hasText: 'three' }).waitFor();

    await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
    const question = page.getByRole('alertdialog', { name: 'Delete the session' });
    expect(await question.innerText()).toContain(path);
    expect(await question.innerText()).toContain('try/this');
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.locator('.toast', { hasText: 'Its work tree is kept' }).waitFor();
    expect(existsSync(join(path, 'code.txt'))).toBe(true);
    expect(complaints).toEqual([]);
  });

  inBrowser('that is to go when it is clean says so, and goes', async (on) => {
    const { page } = await on.page();
    const prompt = await newPrompt(page);
    await prompt.getByLabel('Isolation').selectOption('Work tree');
    await prompt.getByRole('button', { name: 'Settings' }).click();
    const fate = prompt.getByRole('radio', { name: /^Remove if/ });
    await fate.check();
    await prompt.getByLabel('First message').fill('/say Nothing to lose');
    await prompt.getByRole('button', { name: 'Start session' }).click();
    await page.locator('.markdown', { hasText: 'Nothing to lose' }).waitFor();
    const trees = () => on.git('worktree', 'list').trim().split('\n').length;
    const before = trees();
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
    const question = page.getByRole('alertdialog', { name: 'Delete the session' });
    expect(await question.innerText()).toContain('removed if nothing in them would be lost');
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.locator('.toast', { hasText: 'Its work tree was removed too' }).waitFor();
    await expect.poll(trees, { timeout: 30_000 }).toBe(before - 1);
  });

  inBrowser('that cannot be made says why, and the form stays', async (on) => {
    const { page } = await on.page();
    const prompt = await newPrompt(page);
    await prompt.getByLabel('Isolation').selectOption('Work tree');
    await prompt.getByRole('button', { name: 'Settings' }).click();
    await prompt.getByLabel('Branch name').fill('main');
    await prompt.getByLabel('First message').fill('Not lost');
    await prompt.getByRole('button', { name: 'Start session' }).click();
    expect(await prompt.getByRole('alert').innerText()).toContain('already exists');
    expect(await prompt.getByLabel('Branch name').inputValue()).toBe('main');
    expect(await prompt.getByLabel('First message').inputValue()).toBe('Not lost');
  });

  inBrowser('has a branch named after its task, and the name of its project', async (on) => {
    const { page } = await on.page();
    const branch = page.locator('.session-head .branch');
    const start = async () => {
      const prompt = await newPrompt(page);
      await prompt.getByLabel('Isolation').selectOption('Work tree');
      await prompt.getByLabel('First message').fill('Fix the café parser!\n/say Done');
      await prompt.getByRole('button', { name: 'Start session' }).click();
      await composer(page).waitFor();
    };
    await start();
    await branch.filter({ hasText: /^ *moorage\/fix-the-cafe-parser$/ }).waitFor();
    expect(await page.locator('.session-head .folder').innerText()).toBe('repository');
    await start(); // the name is taken
    await branch.filter({ hasText: /moorage\/fix-the-cafe-parser-2$/ }).waitFor();
  });
});
