import { describe, expect } from 'vitest';
import { newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

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
    await list.getByText('Fishing').waitFor();
    expect(await list.getByText('Gardening').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Fishing', level: 1 }).waitFor();
    expect(complaints).toEqual([]);
  });
});
