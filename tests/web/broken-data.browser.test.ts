import type { Page } from 'playwright-core';
import { afterAll, describe, expect } from 'vitest';
import { foreignHost } from '../support/foreign-host.js';
import { newSession, say, withBrowser } from '../support/web.js';

/** Its session was changed at a time that is no date. */
let other: Awaited<ReturnType<typeof foreignHost>> | undefined;
const inBrowser = withBrowser(async () => {
  other = await foreignHost('x', { title: 'Out of time', modifiedAt: 'the day before yesterday' });
  return { otherHosts: [originOf(other.url)] };
});
afterAll(() => other?.close());

const originOf = (url: string) => url.replace(/^ws/, 'http').replace(/\/$/, '');
const allow = (page: Page) => page.locator('.approval .confirmation-options').getByRole('button').first();

describe('a message that is too much to be read as markdown', () => {
  inBrowser('is plain text when it is too deep, and takes nothing else with it', async (on) => {
    const { page, complaints } = await on.page();
    await newSession(page);
    await say(page, `/say ${'>'.repeat(3_000)} deep\n/say fine *words*\n/write deep.txt text`);
    for (const _load of ['first', 'again']) {
      await allow(page).waitFor();
      await page.getByRole('button', { name: 'Stop' }).waitFor();
      await page.locator('.plain-text', { hasText: '>>> deep' }).waitFor();
      await page.reload();
    }
    await allow(page).click();
    await page.getByText('Wrote deep.txt').waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('is plain text when its marks would keep the page busy', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, `/say ${'*a_ '.repeat(10_000)}\n/say and *then*`);
    await page.locator('.plain-text', { hasText: '*a_ *a_' }).waitFor();
    expect(await page.locator('.plain-text em').count()).toBe(0);
  });
});

describe('another host that sends nonsense', () => {
  inBrowser('breaks nothing else, and can be removed', async (on) => {
    const { page, complaints } = await on.page();
    await newSession(page);
    await say(page, '/title Ours\n/say fine');
    await page.getByRole('heading', { name: 'Ours' }).waitFor();
    await page.getByRole('button', { name: 'Add a host' }).click();
    const form = page.getByRole('form', { name: 'Add a host' });
    await form.getByLabel('Link or address').fill(`${originOf(other?.url ?? '')}/#token=secret`);
    await form.getByLabel('Name').fill('Odd box');
    await form.getByRole('button', { name: 'Add' }).click();
    const rows = page.locator('.session-row');
    await rows.filter({ hasText: 'Out of time' }).waitFor();
    await page.reload();
    await rows.filter({ hasText: 'Out of time' }).waitFor();
    await page.getByRole('heading', { name: 'Ours' }).waitFor();
    await page.locator('.hosts-foot').click();
    await page.getByRole('button', { name: 'Remove Odd box' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await rows.filter({ hasText: 'Out of time' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  inBrowser('can be removed when its address is none, and when nothing else can be shown', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    const entry = (id: string, name: string) => ({ id, name, token: 't' });
    await page.evaluate(
      (hosts) => localStorage.setItem('moorage.hosts', JSON.stringify(hosts)),
      [entry('http://a b', 'Nowhere'), entry('http://127.0.0.1:1', 'Second')],
    );
    await page.reload();
    await page.locator('.hosts-foot').click();
    await page.getByRole('button', { name: 'Remove Nowhere' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Nowhere').waitFor({ state: 'detached' });

    // What the whole page needs fails, until it is loaded without that host.
    await page.addInitScript(() => {
      if (localStorage.getItem('moorage.hosts')) window.matchMedia = () => JSON.parse('broken');
    });
    await page.reload();
    await page.getByRole('button', { name: 'Remove the host Second' }).click();
    await page.getByRole('button', { name: 'Add a host' }).waitFor();
  });
});
