import { connect } from '@moorage/client';
import { describe, expect } from 'vitest';
import { newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

describe('an open dialog', () => {
  inBrowser('does not hide messages, and their buttons work', async (on) => {
    const { page, complaints } = await on.page();
    await newSession(page);
    await say(page, '/title Kept\n/say hello');
    await page.getByRole('heading', { name: 'Kept', level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Archive/ }).click();
    await page.locator('.toast', { hasText: 'archived' }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await palette.waitFor();
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.toast', { hasText: 'Session unarchived.' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.toast', { hasText: 'Session unarchived.' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the settings of a session', () => {
  inBrowser('an emptied field has no value afterwards, and the others keep theirs', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Session settings' });
    const budget = dialog.getByLabel('Budget', { exact: true });
    const uri = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('session') ?? '';
    const client = await connect({ url: on.host.url, token: on.host.token });
    const session = await client.subscribe(uri, { kind: 'session' });
    const values = () => session.confirmed.config?.values;
    const before = values();
    await budget.fill('5');
    await expect.poll(values).toEqual({ ...before, budget: 5 });
    await budget.fill('');
    await expect.poll(values).toEqual(before);
    expect(await page.locator('.toast').count()).toBe(0);
    expect(await budget.inputValue()).toBe('');
    await client.close();
  });
});
