import { connect, randomId } from '@moorage/client';
import { sessionUri } from '@moorage/protocol';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { composer, newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at?.getAttribute('aria-label') ?? at?.textContent ?? '';
  });
const inComposer = (page: Page) => expect.poll(() => focused(page), { timeout: 30_000 }).toBe('Message to the agent');

async function sessionNamed(page: Page, title: string): Promise<void> {
  await newSession(page);
  await say(page, `/title ${title}`);
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
}

/** Sessions that have nothing but a name, made by another client. */
async function makeSessions({ url, token }: { url: string; token: string }, titles: readonly string[]): Promise<void> {
  const client = await connect({ url, token });
  const folder = client.hostInfo.defaultDirectory ?? '';
  for (const title of titles) {
    const channel = sessionUri.format(randomId());
    await client.request('createSession', { channel, provider: 'demo', workingDirectories: [folder] });
    const session = await client.session(channel);
    await session.dispatch({ type: 'session/titleChanged', title });
  }
  await client.close();
}

describe('a new session', () => {
  inBrowser('begins with what is typed when its form opens', async (on) => {
    const { page } = await on.page();
    await page.getByRole('button', { name: 'New session' }).first().waitFor();
    await page.keyboard.press('Alt+n');
    await page.locator('.home').waitFor();
    await page.keyboard.type('/say the first words count');
    expect(await page.getByLabel('First message').inputValue()).toBe('/say the first words count');
    await page.keyboard.press('Enter');
    await page.locator('.markdown', { hasText: 'the first words count' }).waitFor();
    expect(await page.locator('.user-text').allInnerTexts()).toEqual(['/say the first words count']);
    await inComposer(page);
  });
});

describe('the focus', () => {
  inBrowser('goes to the text field after a message was edited, and after search and palette', async (on) => {
    const { page } = await on.page();
    await sessionNamed(page, 'Focus one');
    await sessionNamed(page, 'Focus two');
    await say(page, '/say before');
    await page.locator('.markdown', { hasText: 'before' }).waitFor();

    await page.locator('.user-message', { hasText: '/say before' }).hover();
    await page.getByRole('button', { name: 'Edit and send again' }).last().click();
    expect(await focused(page)).toBe('Edit the message');
    await page.getByLabel('Edit the message').fill('/say after');
    await page.getByRole('button', { name: 'Send again', exact: true }).press('Enter');
    await page.locator('.markdown', { hasText: 'after' }).waitFor();
    await inComposer(page);

    for (const [key, field] of [
      ['Alt+s', 'Search sessions'],
      ['Control+k', 'Find an action or a session'],
    ] as const) {
      // Another session, the same one, and none.
      for (const title of ['Focus one', 'Focus one', 'Focus two']) {
        await page.keyboard.press(key);
        await page.getByLabel(field).fill(title);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: title, exact: true }).waitFor();
        await inComposer(page);
      }
      await page.keyboard.press(key);
      await page.getByLabel(field).press('Escape');
      await inComposer(page);
    }
  });
});

describe('a title', () => {
  inBrowser('that is typed exactly opens that session, whatever else contains it or waits', async (on) => {
    const { page } = await on.page();
    await sessionNamed(page, 'Build');
    await sessionNamed(page, 'Build the terminals');
    await say(page, '/write waits.txt text');
    await page.locator('.approval').waitFor();
    await page.keyboard.press('Alt+s');
    await page.getByLabel('Search sessions').fill('build');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Build', exact: true }).waitFor();

    await sessionNamed(page, 'Terminals');
    await sessionNamed(page, 'Another one');
    await page.keyboard.press('Control+k');
    await page.getByLabel('Find an action or a session').fill('Terminals');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Terminals', exact: true }).waitFor();
  });
});

describe('the list of sessions', () => {
  inBrowser('shows the open session, however far down it is', async (on) => {
    const { page } = await on.page(undefined, { width: 1280, height: 400 });
    await sessionNamed(page, 'Far down');
    const link = page.url();
    await makeSessions(on.host, [
      'Above 0',
      'Above 1',
      'Above 2',
      'Above 3',
      'Above 4',
      'Above 5',
      'Above 6',
      'Above 7',
    ]);
    await expect.poll(() => page.locator('.session-row', { hasText: 'Above' }).count()).toBe(8);
    await page.goto('about:blank');
    await page.goto(link);
    const row = page.locator('.session-row', { hasText: 'Far down' });
    await row.waitFor();
    const isInView = () =>
      row.evaluate((element) => {
        const list = element.closest('.session-rows')?.getBoundingClientRect();
        const { top, bottom } = element.getBoundingClientRect();
        return list !== undefined && top >= list.top - 1 && bottom <= list.bottom + 1;
      });
    await expect.poll(isInView, { timeout: 30_000 }).toBe(true);
    // Which it is only because the list was scrolled.
    expect(await row.evaluate((element) => element.closest('.session-rows')?.scrollTop)).toBeGreaterThan(0);
  });
});

describe('the review', () => {
  inBrowser('has one current file, to which its keys apply', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/write one.txt a\\n\n/write three.txt a\\n\n/write two.txt a\\n');
    await page.getByRole('button', { name: 'Review changes' }).waitFor();
    await page.keyboard.press('Alt+r');
    const current = page.locator('.tree-row[aria-current]');
    const cursor = page.locator('[data-cursor]');
    await page.locator('.review .diff-line').nth(2).waitFor();
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await expect.poll(() => cursor.innerText()).toContain('three.txt');
    await expect.poll(() => current.allInnerTexts()).toEqual([expect.stringContaining('three.txt')]);
    await page.locator('.tree-row', { hasText: 'two.txt' }).click();
    await expect.poll(() => current.allInnerTexts()).toEqual([expect.stringContaining('two.txt')]);
    await expect.poll(() => cursor.innerText()).toContain('two.txt');
    await page.keyboard.press('x');
    expect(await page.getByRole('alertdialog').getAttribute('aria-label')).not.toBeNull();
    await page.keyboard.press('Enter');
    await expect.poll(() => on.git('status', '--porcelain').includes('two.txt')).toBe(false);
    expect(on.read('three.txt')).toBe('a\n');
  });
});

describe('what a command printed', () => {
  inBrowser('ends with its last lines after a restart of the host', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/run seq 1 3000');
    await page.locator('.terminal-embed .xterm-rows', { hasText: '3000' }).waitFor();
    await page.getByRole('button', { name: 'Review changes' }).waitFor();
    const { port } = on;
    await on.host.stop();
    await on.startHost(port);
    await page.reload();
    const output = page.locator('.terminal-embed .output');
    await output.waitFor();
    expect((await output.innerText()).trimEnd()).toMatch(/2999\s+3000$/);
    const left = await output.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    expect(left).toBeLessThanOrEqual(1);
    await composer(page).waitFor();
  });
});
