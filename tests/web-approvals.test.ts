import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { composer, newSession, say, withBrowser } from './support/web.js';

const inBrowser = withBrowser();

/** Says it and waits until the agent asks, with the keys free for an answer. */
async function sayAndWait(page: Page, text: string, question: string): Promise<void> {
  await say(page, text);
  await asked(page, question).waitFor();
  await composer(page).press('Escape');
}

const asked = (page: Page, question: string) => page.getByRole('heading', { name: question });

describe('the keys of an approval', () => {
  inBrowser('answer nothing while the review covers it', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await sayAndWait(page, '/write covered.txt text', 'Write covered.txt?');
    await page.keyboard.press('r');
    await page.getByText('Nothing was changed here.').waitFor();
    await page.keyboard.press('f');
    await asked(page, 'Write covered.txt?').waitFor({ state: 'hidden' });
    await page.keyboard.press('a');
    await page.keyboard.press('y');
    await page.getByRole('button', { name: 'show the conversation' }).click();
    await asked(page, 'Write covered.txt?').waitFor();
    expect(existsSync(join(on.workspace, 'covered.txt'))).toBe(false);
    await page.keyboard.press('y');
    await page.getByText('Wrote covered.txt').waitFor();
    expect(on.read('covered.txt')).toContain('text');
  });

  inBrowser('answer nothing on a narrow page that shows something else', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await sayAndWait(page, '/write narrow.txt text', 'Write narrow.txt?');
    await page.keyboard.press('r');
    await page.getByText('Nothing was changed here.').waitFor();
    await page.setViewportSize({ width: 1000, height: 800 }); // on a phone it would be within reach
    await asked(page, 'Write narrow.txt?').waitFor({ state: 'hidden' });
    await page.keyboard.press('y');
    await page.getByRole('button', { name: 'show the conversation' }).click();
    await asked(page, 'Write narrow.txt?').waitFor();
    expect(existsSync(join(on.workspace, 'narrow.txt'))).toBe(false);
  });

  inBrowser('answer nothing while the reader is elsewhere in the conversation', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await sayAndWait(page, '/stream 4000\n/write away.txt text', 'Write away.txt?');
    await page.locator('.chat-scroll').hover();
    await page.mouse.wheel(0, -100_000);
    await expect.poll(() => page.locator('.chat-scroll').evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await page.keyboard.press('y');
    await page.getByRole('button', { name: '↓ Needs you' }).click();
    await asked(page, 'Write away.txt?').waitFor();
    expect(existsSync(join(on.workspace, 'away.txt'))).toBe(false);
    await page.keyboard.press('y');
    await page.getByText('Wrote away.txt').waitFor();
  });

  inBrowser('answer one question when one is held down', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await sayAndWait(page, '/write held-1.txt text\n/write held-2.txt text', 'Write held-1.txt?');
    await page.keyboard.down('y');
    await asked(page, 'Write held-2.txt?').waitFor();
    await page.keyboard.down('y'); // a repetition, as long as it is not let go
    await page.keyboard.up('y');
    expect(await asked(page, 'Write held-2.txt?').isVisible()).toBe(true);
    await page.keyboard.press('y');
    await page.getByText('Wrote held-2.txt').waitFor();
  });
});

describe('what is to be approved', () => {
  inBrowser('hides no character', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/run echo a\u202eb');
    const question = page.locator('.confirmation');
    await question.waitFor();
    const text = await question.innerText();
    expect(text).not.toContain('\u202e');
    expect(await question.locator('pre').innerText()).toBe('echo a⟨U+202E⟩b');
    await question.getByRole('button', { name: 'Allow' }).click();
    await page.locator('.tool-line', { hasText: '⟨U+202E⟩' }).waitFor();
  });
});
