import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { violations } from '../support/axe.js';
import { composer, newSession, say, showChanges, toggleView, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

const MEDIUM = { width: 900, height: 700 };
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };

const sessions = (page: Page) => page.getByRole('navigation', { name: 'Sessions' });
const palette = (page: Page) => page.getByRole('dialog', { name: 'Sessions' });
const rows = (page: Page) => palette(page).locator('.session-row');
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

async function sessionNamed(page: Page, title: string, more = ''): Promise<void> {
  await newSession(page);
  await page.getByRole('heading', { name: 'New session', level: 1 }).waitFor(); // and not what was open before
  await say(page, `/title ${title}\n${more || '/say done'}`);
  await page.getByRole('heading', { name: title }).waitFor();
}

describe('at a medium width', () => {
  inBrowser('sessions fold into a palette, which the keyboard reaches and leaves', async (on) => {
    const { page, complaints } = await on.page(on.host.web, MEDIUM);
    await sessionNamed(page, 'The first');
    await sessionNamed(page, 'The second');
    expect(await sessions(page).locator('.session-row').count()).toBe(0);
    const button = sessions(page).getByRole('button', { name: 'Sessions' });

    await button.press('Enter');
    await palette(page).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await page.keyboard.type('first');
    await expect.poll(() => rows(page).count(), PATIENT).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The first' }).waitFor();
    await palette(page).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page), PATIENT).toBe('Message to the agent');
    await button.focus();

    await page.keyboard.press('Alt+s');
    await palette(page).waitFor();
    expect(await palette(page).locator('[aria-current="page"]').innerText()).toContain('The first');
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Sessions');

    await page.keyboard.press('Alt+b');
    await palette(page).getByRole('button', { name: 'New session' }).click();
    await page.locator('.home').waitFor();
    await palette(page).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  inBrowser('say how many of them need somebody, and can be read out', async (on) => {
    const { page } = await on.page(on.host.web, MEDIUM);
    await sessionNamed(page, 'Waits', '/write a.txt text');
    const button = sessions(page).getByRole('button', { name: 'Sessions, 1 needs you' });
    await button.waitFor();
    const problems = await violations(page, 'folded');
    await button.click();
    await rows(page).filter({ hasText: 'Waits' }).waitFor();
    problems.push(...(await violations(page, 'palette of sessions')));
    expect(problems).toEqual([]);
  });

  inBrowser('has all its width for what is open, and the list again when there is room', async (on) => {
    const { page } = await on.page(on.host.web, MEDIUM);
    await sessionNamed(page, 'Grows and shrinks');
    expect((await composer(page).boundingBox())?.width).toBeGreaterThan(600);
    await page.keyboard.press('Alt+b');
    await palette(page).waitFor();

    await page.setViewportSize(WIDE);
    await palette(page).waitFor({ state: 'detached' });
    await sessions(page).locator('.session-row', { hasText: 'Grows and shrinks' }).waitFor();

    await page.setViewportSize(PHONE);
    await page.getByRole('navigation', { name: 'Parts of the page' }).getByRole('button', { name: 'Sessions' }).click();
    await sessions(page).locator('.session-row', { hasText: 'Grows and shrinks' }).waitFor();
    for (const size of [PHONE, MEDIUM, WIDE]) {
      await page.setViewportSize(size);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
    }
  });
});

describe('on a phone', () => {
  inBrowser('one begins with the sessions, where there are some', async (on) => {
    const { page: desk } = await on.page();
    await sessionNamed(desk, 'To be found');
    const { page } = await on.page(on.host.web, PHONE);
    await page.getByRole('button', { name: /To be found/ }).click();
    await composer(page).waitFor();
  });

  const tab = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Parts of the page' }).getByRole('button', { name });

  inBrowser('terminals are there after a reload, and after going back to them', async (on) => {
    const { page } = await on.page(on.host.web, PHONE);
    await tab(page, 'Sessions').click();
    await sessionNamed(page, 'Terminals on a phone');
    await tab(page, 'Terminal').click();
    const open = page.getByRole('button', { name: 'New terminal' });
    await open.waitFor();
    await page.reload();
    await open.waitFor();
    await page.getByRole('button', { name: 'Close the terminals' }).click();
    await composer(page).waitFor();
    await page.goBack();
    await open.waitFor();
  });

  inBrowser('what waits for somebody is within reach, whatever is shown', async (on) => {
    const { page } = await on.page(on.host.web, PHONE);
    await tab(page, 'Sessions').click();
    const steps = Array.from({ length: 40 }, (_, index) => `/say Line ${index}`).join('\n');
    await sessionNamed(page, 'Waits on a phone', `${steps}\n/write sheet.txt text\n/ask Which colour? | red | blue`);
    const allow = page.getByRole('button', { name: /^Allow once/ });
    await allow.waitFor();
    await page.locator('.chat-scroll').evaluate((element) => element.scrollTo(0, 0));
    const problems: string[] = [];
    for (const name of ['Sessions', 'Terminal', 'Chat', 'Changes']) {
      await tab(page, name).click();
      const box = await allow.boundingBox();
      expect([name, box && box.y > 0 && box.y + box.height <= PHONE.height]).toEqual([name, true]);
      problems.push(...(await violations(page, `sheet over ${name}`)));
    }
    expect(problems).toEqual([]);
    await allow.click();
    // The next one, still without leaving the changes.
    await page.getByRole('radio', { name: 'red' }).click();
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByRole('region', { name: 'Needs you' }).waitFor({ state: 'detached' });
    expect(on.read('sheet.txt')).toBe('text');
  });

  inBrowser('fingers write, choose lines, files and actions', async (on) => {
    on.write('touch/a.txt', 'one\ntwo\nthree\n');
    on.write('touch/b.txt', 'other\n');
    const { page } = await on.page(on.host.web, PHONE, { hasTouch: true, isMobile: true });
    await tab(page, 'Sessions').tap();
    await newSession(page);
    await composer(page).fill('first');
    await composer(page).press('Enter');
    await composer(page).pressSequentially('second');
    expect(await composer(page).inputValue()).toBe('first\nsecond');

    await tab(page, 'Changes').tap();
    await showChanges(page, 'Uncommitted');
    await page.locator('.review .diff-line.added', { hasText: 'three' }).waitFor();
    const line = (number: number) => page.getByRole('button', { name: `Line ${number}, after` }).first();
    const chosen = page.locator('.line-number[data-chosen]');
    await line(1).tap();
    await expect.poll(() => chosen.count(), PATIENT).toBe(1);
    await line(3).tap();
    await expect.poll(() => chosen.count(), PATIENT).toBe(3);
    await line(2).tap();
    await expect.poll(() => chosen.count(), PATIENT).toBe(1);

    await toggleView(page, 'Files');
    const sheet = page.getByRole('dialog', { name: 'Changed files' });
    await sheet.getByLabel('Filter files').fill('b.t');
    await sheet.getByRole('button', { name: /b\.txt/ }).tap();
    await sheet.waitFor({ state: 'detached' });
    await page.locator('.diff-line', { hasText: 'other' }).waitFor();

    await tab(page, 'Find').tap();
    await page.getByLabel('Find an action or a session').fill('all keys');
    await page.getByRole('option', { name: /All keys/ }).tap();
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    on.commit();
  });

  inBrowser('going back leaves the changes', async (on) => {
    const { page } = await on.page(on.host.web, PHONE);
    await tab(page, 'Sessions').click();
    await sessionNamed(page, 'Back from changes');
    await tab(page, 'Changes').click();
    await page.getByRole('region', { name: 'Review' }).waitFor();
    await page.goBack();
    await composer(page).waitFor();
    expect(await page.getByRole('region', { name: 'Review' }).isVisible()).toBe(false);
  });
});
