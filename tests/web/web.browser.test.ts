import type { Page, WebSocketRoute } from 'playwright-core';
import { describe, expect } from 'vitest';
import { composer, newPrompt, newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

describe('signing in', () => {
  inBrowser('opens with the printed link, and the token leaves the address at once', async (on) => {
    expect(on.host.web).toContain(on.host.token);
    const { page, complaints } = await on.page();
    await page.getByRole('heading', { name: 'What should the agent do?' }).waitFor();
    expect(page.url()).not.toContain(on.host.token);
    expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
    await page.reload();
    await page.getByRole('heading', { name: 'What should the agent do?' }).waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('says what to do about a wrong token, and takes the link that is pasted', async (on) => {
    const { page } = await on.page(on.host.web.replace(on.host.token, 'wrong-token'));
    await page.getByRole('heading', { name: 'The host does not accept this token' }).waitFor();
    await page.getByLabel('Link or token').fill(on.host.web);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
  });

  inBrowser('takes any text for a token, and says that it is none', async (on) => {
    const { page, complaints } = await on.page(on.host.web.replace(on.host.token, '%zz'));
    await page.getByRole('heading', { name: 'The host does not accept this token' }).waitFor();
    await page.getByLabel('Link or token').fill('100%');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Link or token').fill(on.host.web);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('asks for the token when there is none', async (on) => {
    const { page } = await on.page(on.host.web.replace(/#.*/, ''));
    await page.getByRole('heading', { name: 'Sign in to this host' }).waitFor();
    expect(await page.getByLabel('Link or token').getAttribute('type')).toBe('password');
  });
});

describe('a turn', () => {
  inBrowser('is sent by a page that came without encryption', async (on) => {
    const { page } = await on.page();
    // What browsers do not have there.
    await page.addInitScript(() => {
      Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined });
      Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
    });
    await page.reload();
    await newSession(page);
    await say(page, '/say Heard all the same');
    await page.getByText('Heard all the same', { exact: true }).waitFor();
  });

  inBrowser('can be written on a phone that showed something else first', async (on) => {
    const { page } = await on.page(on.host.web, { width: 390, height: 800 });
    await newSession(page);
    const bar = page.getByRole('navigation', { name: 'Parts of the page' });
    await bar.getByRole('button', { name: 'Changes' }).click();
    await page.getByText('Nothing was changed here.').waitFor();
    await page.reload();
    await page.getByText('Nothing was changed here.').waitFor();
    await bar.getByRole('button', { name: 'Chat' }).click();
    await expect
      .poll(() => composer(page).evaluate((area) => area.clientHeight), { timeout: 30_000 })
      .toBeGreaterThan(10);
  });

  inBrowser('is read when somebody comes back to the page', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await show('hidden');
    await say(page, '/title Left alone\n/say Done');
    const row = page.locator('.session-row', { hasText: 'Left alone' });
    await row.and(page.locator('[data-mood=unread]')).waitFor();
    await show('visible');
    await row.and(page.locator('[data-mood=idle]')).waitFor();
  });

  inBrowser('asks by click, and everybody sees the same', async (on) => {
    const { page: first, complaints } = await on.page();
    await newSession(first);
    await say(first, '/title Shared work\n/write shared.txt Hello from the page\n/say Done with **it**');
    await first.getByRole('heading', { name: 'Write shared.txt?' }).waitFor();
    expect(await first.title()).toContain('(1)');
    expect(await first.locator('.confirmation .diff-line.added').innerText()).toContain('Hello from the page');

    const { page: second } = await on.page();
    await second.locator('.session-row', { hasText: 'Shared work' }).click();
    await second.getByRole('button', { name: /Allow once/ }).click();

    for (const page of [first, second]) {
      await page.getByText('Wrote shared.txt').waitFor();
      await page.locator('.markdown strong', { hasText: 'it' }).waitFor();
      await page.getByRole('button', { name: /Allow once/ }).waitFor({ state: 'detached' });
    }
    expect(complaints).toEqual([]);
  });

  inBrowser('can be denied with a reason that the agent reads', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/write no.txt text\n/say After that');
    await page.getByRole('button', { name: 'Deny with a reason' }).click();
    await page.getByLabel('Reason for denying').fill('not in this folder');
    await page.keyboard.press('Enter');
    await page.getByText('After that', { exact: true }).waitFor();
    await page.locator('.tool-state', { hasText: 'denied' }).waitFor();
    expect(await page.locator('.answer').innerText()).toContain('not in this folder');
  });

  inBrowser('asks a question whose draft others see while it is filled in', async (on) => {
    const { page: first } = await on.page();
    await newSession(first);
    await say(first, '/title Questions\n/ask Which colour? | red | blue');
    await first.getByLabel('red').check();
    const { page: second } = await on.page();
    await second.locator('.session-row', { hasText: 'Questions' }).click();
    await expect.poll(() => second.getByLabel('red').isChecked(), { timeout: 30_000 }).toBe(true);
    await second.getByLabel('blue').check();
    await expect.poll(() => first.getByLabel('blue').isChecked(), { timeout: 30_000 }).toBe(true);
    await first.getByRole('button', { name: 'Answer', exact: true }).click();
    for (const page of [first, second]) await page.locator('.answer', { hasText: 'blue' }).waitFor();
  });

  inBrowser('can be steered, queued after, and stopped', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/wait 60000');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await say(page, '/say the one that waited');
    await page.locator('.pending-row', { hasText: 'the one that waited' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.locator('.markdown', { hasText: 'the one that waited' }).waitFor();
  });

  inBrowser('shows the chat of a sub-agent', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/spawn /say from below');
    await page.locator('.subagent').click();
    await page.locator('.markdown', { hasText: 'from below' }).waitFor();
    await page.getByRole('tablist', { name: 'Chats' }).getByRole('tab').first().click();
    await page.locator('.subagent').waitFor();
  });
});

describe('a host that goes away', () => {
  inBrowser('is said, and when it is back all goes on, with what was typed', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/title Before the crash\n/ask What now?');
    await page.getByLabel(/What now/).waitFor();
    await composer(page).fill('half a sentence');
    const { port } = on;
    await on.host.kill();
    await page.getByText('Reconnecting').waitFor();
    expect(await page.getByRole('heading', { name: 'Before the crash' }).isVisible()).toBe(true);
    await on.startHost(port);
    await page.getByText('Reconnecting').waitFor({ state: 'detached' });
    expect(await composer(page).inputValue()).toBe('half a sentence');
    await page.getByLabel(/What now/).fill('go on');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.locator('.answer', { hasText: 'go on' }).waitFor();
  });
});

describe('a chat that could not be opened', () => {
  /** Does something else with the first request for a chat than to hand it on. */
  async function spoilFirst(
    page: Page,
    spoil: (request: { id: number }, socket: WebSocketRoute) => void,
  ): Promise<void> {
    let armed = true;
    await page.routeWebSocket(/.*/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((text) => {
        const request = JSON.parse(String(text));
        const isFirst = armed && request.method === 'subscribe' && /^ahp-chat:/.test(request.params.channel);
        if (!isFirst) return server.send(text);
        armed = false;
        spoil(request, socket);
      });
    });
    await page.reload();
  }

  const refuse = ({ id }: { id: number }, socket: WebSocketRoute) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'not now' } }));

  inBrowser('because the connection dropped is opened when it is back', async (on) => {
    const { page } = await on.page();
    await spoilFirst(page, (_, socket) => void socket.close());
    await newSession(page);
    await say(page, '/say Here after all');
    await page.locator('.markdown', { hasText: 'Here after all' }).waitFor();
  });

  inBrowser('because the host would not is asked for again', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await spoilFirst(page, refuse);
    await page.getByText('Not now.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await composer(page).waitFor();
  });

  inBrowser('keeps the message that was to begin it', async (on) => {
    const { page } = await on.page();
    let refuses = true; // both the view and what sends the message ask for the chat
    await page.routeWebSocket(/.*/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((text) => {
        const request = JSON.parse(String(text));
        const isChat = request.method === 'subscribe' && /^ahp-chat:/.test(request.params.channel);
        if (refuses && isChat) refuse(request, socket);
        else server.send(text);
      });
    });
    await page.reload();
    const prompt = await newPrompt(page);
    await prompt.getByLabel('First message').fill('/say not lost');
    await prompt.getByRole('button', { name: 'Start session' }).click();
    await page.waitForFunction(() =>
      Object.entries(sessionStorage).some(([key, value]) => key.includes('ahp-chat:') && value === '/say not lost'),
    );
    refuses = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => composer(page).inputValue(), { timeout: 30_000 }).toBe('/say not lost');
  });
});
