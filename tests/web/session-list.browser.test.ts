import { sessionUri } from '@moorage/protocol';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { composer, newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();
const PATIENT = { timeout: 30_000 };

const row = (page: Page, title: string) => page.locator('.session-row', { hasText: title });
const titles = (page: Page) => page.locator('.session-rows .session-title').allInnerTexts();
const groups = (page: Page) => page.locator('.session-group').allInnerTexts();

async function sessionNamed(page: Page, title: string, more = '/say done'): Promise<void> {
  await newSession(page);
  await say(page, `/title ${title}\n${more}`);
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
}

describe('the list of sessions', () => {
  inBrowser('is grouped and filtered by state, and says why', async (on) => {
    const { page, complaints } = await on.page();
    await sessionNamed(page, 'Broken one', '/fail overloaded');
    await sessionNamed(page, 'Asking one', '/write asked.txt x');
    await sessionNamed(page, 'Quiet one');
    await expect.poll(() => row(page, 'Broken one').innerText(), PATIENT).toContain('Failed: overloaded');
    await expect.poll(() => row(page, 'Asking one').innerText(), PATIENT).toContain('Waiting for approval: Write file');
    await expect.poll(() => row(page, 'Quiet one').innerText(), PATIENT).toContain('repository');
    expect(await groups(page)).toEqual(['Needs you 1', 'Today 2']);
    await page.getByLabel('Show', { exact: true }).selectOption('error');
    await expect.poll(() => titles(page), PATIENT).toEqual(['Broken one']);
    await page.getByLabel('Show', { exact: true }).selectOption('all');
    await page.getByLabel('Group', { exact: true }).selectOption('project');
    await expect.poll(() => groups(page), PATIENT).toEqual(['repository 3']);
    await page.getByLabel('Group', { exact: true }).selectOption('time');

    // The tab says how many need somebody, in its title and in its icon.
    await expect.poll(() => page.title(), PATIENT).toMatch(/^\(1\) /);
    const icon = () => page.locator('link[rel="icon"]').getAttribute('href');
    expect(decodeURIComponent((await icon()) ?? '')).toContain('>1</text>');

    // Found with a letter missing, in any order, and by state.
    for (const query of ['brken', 'one quiet', 'failed']) {
      await page.getByLabel('Search sessions').fill(query);
      await expect.poll(() => titles(page), PATIENT).toEqual([query === 'one quiet' ? 'Quiet one' : 'Broken one']);
    }
    await page.getByLabel('Search sessions').fill('');

    // The next one that needs somebody, and its options by number.
    await page.keyboard.press('Alt+m');
    await page.getByRole('heading', { name: 'Asking one' }).waitFor();
    await composer(page).press('Escape');
    await page.locator('.approval:focus').waitFor();
    await expect
      .poll(async () => {
        if (await page.locator('.approval:focus').count()) await page.keyboard.press('1');
        return page.getByText('Wrote asked.txt').count();
      }, PATIENT)
      .toBe(1);
    await expect.poll(icon, PATIENT).toBe('/icon.svg');
    await page.keyboard.press('Alt+j');
    await page.keyboard.press('Alt+k');
    await page.getByRole('heading', { name: 'Asking one' }).waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('archives and deletes, one or many, and takes it back', async (on) => {
    const { page, complaints } = await on.page();
    for (const title of ['Bulk one', 'Bulk two', 'Bulk three']) await sessionNamed(page, title);
    await page.getByLabel('Search sessions').fill('Bulk');
    await expect.poll(() => titles(page), PATIENT).toEqual(['Bulk three', 'Bulk two', 'Bulk one']);

    // Archiving the open one leads to the next.
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByRole('heading', { name: 'Bulk two', exact: true }).waitFor();
    await row(page, 'Bulk three').waitFor({ state: 'detached' });
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Bulk three').waitFor();
    await page.locator('.toast', { hasText: 'Session unarchived.' }).waitFor();

    // By keys: from the search field into the rows, and to what can be done with one.
    await page.getByLabel('Search sessions').press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Bulk two');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await page.getByRole('toolbar').getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByRole('alertdialog', { name: 'Delete 2 sessions' }).getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => titles(page), PATIENT).toEqual(['Bulk one']);
    await page.locator('.toast', { hasText: '2 sessions deleted' }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await titles(page)).length, PATIENT).toBe(3);

    // The menu of a row, with the mouse or the keyboard.
    await row(page, 'Bulk one').click();
    await page.getByRole('heading', { name: 'Bulk one', exact: true }).waitFor();
    await row(page, 'Bulk two').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Mark as unread' }).click();
    await expect.poll(() => row(page, 'Bulk two').getAttribute('data-mood'), PATIENT).toBe('unread');
    await row(page, 'Bulk two').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await row(page, 'Bulk two').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  inBrowser('has only the rows that are in view, however many sessions there are', async (on) => {
    const COUNT = 10_000;
    const { page } = await on.page();
    await page.routeWebSocket(/.*/, (socket) => {
      const server = socket.connectToServer();
      const asked = new Set<unknown>();
      socket.onMessage((text) => {
        const { id, method } = JSON.parse(String(text));
        if (method === 'listSessions') asked.add(id);
        server.send(text);
      });
      server.onMessage((text) => {
        const message = JSON.parse(String(text));
        if (!asked.has(message.id)) return socket.send(text);
        const items = Array.from({ length: COUNT }, (_, index) => ({
          resource: sessionUri.format(`many-${index}`),
          provider: 'demo',
          title: `Session number ${index}`,
          status: 1,
          createdAt: '2026-01-01T00:00:00.000Z',
          modifiedAt: new Date(Date.UTC(2026, 0, 1) - index * 1000).toISOString(),
        }));
        socket.send(JSON.stringify({ ...message, result: { items } }));
      });
    });
    await page.reload();
    await row(page, 'Session number 3').first().waitFor();
    expect(await page.locator('.session-row').count()).toBeLessThan(60);
    await page.locator('.session-row').first().focus();
    await page.keyboard.press('End');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent), PATIENT)
      .toContain(`Session number ${COUNT - 1}`);
    expect(await page.locator('.session-row').count()).toBeLessThan(60);
    await page.getByLabel('Search sessions').fill('number 7654');
    await expect.poll(() => titles(page), PATIENT).toEqual(['Session number 7654']);
  });
});
