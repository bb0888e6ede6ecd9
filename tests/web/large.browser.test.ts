import { describe, expect } from 'vitest';
import { newSession, say, showChanges, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

/** Generous: the host has ten thousand files to read, and the machine may be busy. */
const LONG = { timeout: 120_000 };

describe('a review', () => {
  inBrowser(
    'of ten thousand files draws only what is in view, and reads only that',
    async (on) => {
      const { page } = await on.page();
      await newSession(page);
      await say(page, '/say Hello');
      await page.locator('.markdown', { hasText: 'Hello' }).waitFor();
      for (let index = 0; index < 10_000; index++) on.write(`many/${String(index).padStart(5, '0')}.txt`, `${index}\n`);

      await page.getByRole('button', { name: /Changes/ }).click();
      await showChanges(page, 'Uncommitted');
      await page.locator('.review-total', { hasText: /0 of 10,0\d\d viewed/ }).waitFor(LONG);
      const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
      await page.locator('.file-head', { hasText: '00000.txt' }).first().waitFor();
      expect(await nodes()).toBeLessThan(3_000);

      await page.getByLabel('Filter files').fill('09876');
      await page.getByRole('navigation', { name: 'Changed files' }).getByRole('button', { name: /09876/ }).click();
      await page.locator('.diff-line.added', { hasText: '9876' }).waitFor();
      expect(await nodes()).toBeLessThan(3_000);
    },
    180_000,
  );
});
