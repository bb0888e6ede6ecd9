import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

/** Whether a line of the conversation is where a reader sees it. */
function inView(page: Page, text: string): Promise<boolean> {
  return page.getByText(text, { exact: true }).evaluate((line) => {
    const box = line.closest('.chat-scroll')?.getBoundingClientRect();
    const { top, bottom } = line.getBoundingClientRect();
    return box !== undefined && top >= box.top && bottom <= box.bottom;
  });
}

describe('the search above the list', () => {
  inBrowser('finds a session by what was said in it, and opens it', async (on) => {
    const { page, complaints } = await on.page();
    await newSession(page);
    await say(page, '/title Fishing\n/say the narwhal swims');
    await page.getByText('the narwhal swims', { exact: true }).waitFor();
    await newSession(page);
    await say(page, '/title Gardening\n/say tulips');
    await page.getByText('tulips', { exact: true }).waitFor();
    const list = page.getByRole('navigation', { name: 'Sessions' });
    // The index follows a turn by a moment, so whoever types the same again finds it.
    for (let tries = 0; tries < 30; tries++) {
      await page.getByLabel('Search sessions').fill('');
      await page.getByLabel('Search sessions').fill('narwhal sw');
      const group = list.getByText('In conversations');
      if (
        await group.waitFor({ timeout: 1_000 }).then(
          () => true,
          () => false,
        )
      )
        break;
    }
    await list.locator('.session-title', { hasText: 'Fishing' }).waitFor();
    const excerpt = list.locator('.excerpt');
    expect(await excerpt.innerText()).toContain('the narwhal swims');
    expect(new Set(await excerpt.locator('mark').allInnerTexts())).toEqual(new Set(['narwhal', 'swims']));
    expect(await list.getByText('Gardening').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Fishing', level: 1 }).waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('opens a long conversation at the turn in which it was said', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/title Long\n/say the walrus sleeps');
    await page.getByText('the walrus sleeps', { exact: true }).waitFor();
    const filler = Array.from({ length: 40 }, (_, line) => `/say line ${line}`).join('\n');
    for (const last of ['one', 'two', 'three']) {
      await say(page, `${filler}\n/say end ${last}`);
      await page.getByText(`end ${last}`, { exact: true }).waitFor();
    }
    expect(await page.getByText('the walrus sleeps', { exact: true }).isVisible()).toBe(true); // drawn, but scrolled away
    await expect.poll(() => inView(page, 'the walrus sleeps')).toBe(false);
    await newSession(page);
    const list = page.getByRole('navigation', { name: 'Sessions' });
    await expect
      .poll(
        async () => {
          await page.getByLabel('Search sessions').fill('');
          await page.getByLabel('Search sessions').fill('walrus');
          return list.locator('.excerpt').count();
        },
        { timeout: 30_000, interval: 500 },
      )
      .toBe(1);
    await list.locator('.excerpt').click();
    await page.getByRole('heading', { name: 'Long', level: 1 }).waitFor();
    await expect.poll(() => inView(page, 'the walrus sleeps'), { timeout: 30_000 }).toBe(true);
    await page.keyboard.press('Alt+g');
    await expect.poll(() => inView(page, 'the walrus sleeps')).toBe(false);
  });
});
