import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { scripted } from '../support/acp/scripted.js';
import { composer, newSession, say, withBrowser } from '../support/web.js';

/** Its calls can wait at the same time. */
const { command, args, displayName } = scripted();
const inBrowser = withBrowser(async () => ({ agents: { scripted: { type: 'acp', displayName, command, args } } }));

/** Says it and waits until the agent asks. */
async function sayAndWait(page: Page, text: string, question: string): Promise<void> {
  await say(page, text);
  await asked(page, question).waitFor();
}

/** Leads the keys from the text field to the request. */
async function focusRequest(page: Page): Promise<void> {
  await composer(page).press('Escape');
  await expect.poll(() => page.locator('.approval:focus').count()).toBe(1);
}

const asked = (page: Page, question: string) => page.getByRole('heading', { name: question });

/** Longer than a request is too new to be answered with a key. */
const READ_MS = 600;

/** Lets the page's clock stand still, so that only the test says how long something was there to be read. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.reload();
  await composer(page).waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
}

describe('typing', () => {
  inBrowser('into a session that has just been opened writes a message and approves nothing', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await sayAndWait(page, '/write typed.txt text', 'Write typed.txt?');
    await page.reload();
    await asked(page, 'Write typed.txt?').waitFor();
    await expect.poll(() => composer(page).evaluate((box) => box === document.activeElement)).toBe(true);
    await page.keyboard.type('why do you need any of this?');
    expect(await composer(page).inputValue()).toBe('why do you need any of this?');
    expect(await asked(page, 'Write typed.txt?').isVisible()).toBe(true);
    expect(existsSync(join(on.workspace, 'typed.txt'))).toBe(false);
  });

  inBrowser('does nothing at all while the focus is nowhere, with a review open or not', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await sayAndWait(page, '/write nowhere.txt text', 'Write nowhere.txt?');
    const letters = 'any key: abcdefghijklmnopqrstuvwxyz `/? ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const typeNowhere = async () => {
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      const before = await page.locator('.shell').innerHTML();
      await page.keyboard.type(letters);
      expect(await page.locator('.shell').innerHTML()).toBe(before);
    };
    await typeNowhere();
    await page.keyboard.press('Alt+r');
    await page.getByText('Nothing was changed here.').waitFor();
    await page.getByRole('button', { name: 'Finish', disabled: false }).waitFor();
    await typeNowhere();
    expect(existsSync(join(on.workspace, 'nowhere.txt'))).toBe(false);
  });
});

describe('what a session needs', () => {
  inBrowser('is named, and found, in whichever of its chats it is', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/spawn /write below.txt text');
    const bar = page.getByRole('button', { name: 'Another chat needs you: Write file' });
    await bar.click();
    await page.getByRole('heading', { name: 'Write below.txt?' }).waitFor();
    await bar.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: /^Allow once/ }).click();
    await expect.poll(() => existsSync(join(on.workspace, 'below.txt')), { timeout: 30_000 }).toBe(true);
  });
});

describe('the keys of an approval', () => {
  inBrowser('answer the request that has the focus, and not in its first half second', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await stopClock(page);
    await sayAndWait(page, '/write new.txt text', 'Write new.txt?');
    await focusRequest(page);
    await page.keyboard.press('y');
    await page.clock.runFor(490);
    await page.keyboard.press('y');
    await page.keyboard.press('n');
    expect(await asked(page, 'Write new.txt?').isVisible()).toBe(true);
    await page.clock.runFor(10);
    await page.keyboard.press('y');
    await page.getByText('Wrote new.txt').waitFor();
    expect(on.read('new.txt')).toContain('text');
    // After the answer, typing is writing again.
    await expect.poll(() => composer(page).evaluate((box) => box === document.activeElement)).toBe(true);
  });

  inBrowser('answer one request when one is pressed twice, however long the next was waiting', async (on) => {
    const { page } = await on.page();
    await newSession(page, displayName);
    await stopClock(page);
    await sayAndWait(page, '/both twice-1.txt twice-2.txt', 'Write twice-1.txt');
    await asked(page, 'Write twice-2.txt').waitFor();
    await page.clock.runFor(READ_MS);
    await focusRequest(page);
    await page.keyboard.press('y');
    await page.keyboard.press('y');
    await expect.poll(() => existsSync(join(on.workspace, 'twice-1.txt'))).toBe(true);
    expect(await asked(page, 'Write twice-2.txt').isVisible()).toBe(true);
    expect(existsSync(join(on.workspace, 'twice-2.txt'))).toBe(false);
    expect(await page.locator('.approval:focus').count()).toBe(1);
    await page.clock.runFor(READ_MS);
    await page.keyboard.press('y');
    await expect.poll(() => existsSync(join(on.workspace, 'twice-2.txt'))).toBe(true);
  });

  inBrowser('answer nothing while the review covers it', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await stopClock(page);
    await sayAndWait(page, '/write covered.txt text', 'Write covered.txt?');
    await page.clock.resume();
    await page.keyboard.press('Alt+r');
    await page.getByText('Nothing was changed here.').waitFor();
    await page.keyboard.press('f');
    await asked(page, 'Write covered.txt?').waitFor({ state: 'hidden' });
    await page.keyboard.press('a');
    await page.keyboard.press('y');
    await page.getByRole('button', { name: 'show the conversation' }).click();
    await expect.poll(() => page.locator('.approval:focus').count()).toBe(1);
    expect(existsSync(join(on.workspace, 'covered.txt'))).toBe(false);
    await page.clock.fastForward(READ_MS);
    await page.keyboard.press('y');
    await page.getByText('Wrote covered.txt').waitFor();
    expect(on.read('covered.txt')).toContain('text');
  });

  inBrowser('answer nothing on a narrow page that shows something else', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await sayAndWait(page, '/write narrow.txt text', 'Write narrow.txt?');
    await focusRequest(page);
    await page.keyboard.press('Alt+r');
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
    await stopClock(page);
    await sayAndWait(page, '/stream 4000\n/write away.txt text', 'Write away.txt?');
    await focusRequest(page);
    await page.clock.runFor(READ_MS);
    await page.locator('.chat-scroll').hover();
    await page.mouse.wheel(0, -100_000);
    await expect.poll(() => page.locator('.chat-scroll').evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await page.keyboard.press('y');
    await page.getByRole('button', { name: '↓ Needs you' }).click();
    await asked(page, 'Write away.txt?').waitFor();
    await page.keyboard.press('y'); // it has only just come into view
    expect(existsSync(join(on.workspace, 'away.txt'))).toBe(false);
    await page.clock.runFor(READ_MS);
    await page.keyboard.press('y');
    await page.getByText('Wrote away.txt').waitFor();
  });

  inBrowser('answer one question when one is held down', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await stopClock(page);
    await sayAndWait(page, '/write held-1.txt text\n/write held-2.txt text', 'Write held-1.txt?');
    await focusRequest(page);
    await page.clock.runFor(READ_MS);
    await page.keyboard.down('y');
    await asked(page, 'Write held-2.txt?').waitFor();
    await focusRequest(page);
    await page.clock.runFor(READ_MS);
    await page.keyboard.down('y'); // a repetition, as long as it is not let go
    await page.keyboard.up('y');
    expect(await asked(page, 'Write held-2.txt?').isVisible()).toBe(true);
    await page.keyboard.press('y');
    await page.getByText('Wrote held-2.txt').waitFor();
  });
});

describe('the buttons of an approval', () => {
  inBrowser('take the second click of a double click for no answer', async (on) => {
    const { page } = await on.page();
    await newSession(page, displayName);
    await sayAndWait(page, '/both click-1.txt click-2.txt', 'Write click-1.txt');
    await asked(page, 'Write click-2.txt').waitFor();
    const first = page.locator('.approval', { hasText: 'click-1' }).getByRole('button', { name: 'Yes', exact: true });
    const second = page.locator('.approval', { hasText: 'click-2' }).getByRole('button', { name: 'Yes', exact: true });
    // Where the pointer is after the first click, the next request may have its button.
    await second.dispatchEvent('click', { detail: 2 });
    await first.click();
    await expect.poll(() => existsSync(join(on.workspace, 'click-1.txt'))).toBe(true);
    expect(await asked(page, 'Write click-2.txt').isVisible()).toBe(true);
    expect(existsSync(join(on.workspace, 'click-2.txt'))).toBe(false);
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
