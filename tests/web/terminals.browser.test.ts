import { describe, expect } from 'vitest';
import { newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

describe('terminals', () => {
  inBrowser('show in the conversation what a command prints, in colour, within the policy of the page', async (on) => {
    const { page, complaints } = await on.page();
    await newSession(page);
    await say(page, String.raw`/run printf '\033[38;2;255;100;0morange\033[0m <b>not bold</b>\n'`);
    await page
      .getByRole('button', { name: /^Allow/ })
      .first()
      .click();
    const rows = page.locator('.terminal-embed .xterm-rows');
    await rows.filter({ hasText: '<b>not bold</b>' }).waitFor();
    // Rows are drawn anew at any time, so all that is there is looked at in one go.
    const colours = () =>
      rows.locator('span', { hasText: 'orange' }).evaluateAll((all) => all.map((span) => getComputedStyle(span).color));
    await expect.poll(colours, { timeout: 30_000 }).toContain('rgb(255, 100, 0)');
    expect(await page.locator('.terminal-embed b').count()).toBe(0);
    // What has no colour of its own has that of the page, also when it gets dark.
    const textColour = () => rows.evaluate((element) => getComputedStyle(element).color);
    await expect.poll(textColour).toBe('rgb(28, 32, 36)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(textColour).toBe('rgb(221, 225, 229)');
    expect(complaints).toEqual([]);
  });

  inBrowser('can be opened, typed into, watched by others, and ended', async (on) => {
    const { page: first, complaints } = await on.page();
    await newSession(first);
    await say(first, '/title With a terminal');
    await first.getByRole('button', { name: 'Terminals', exact: true }).click();
    await first.getByRole('button', { name: 'New terminal' }).click();
    await first.getByText('Belongs to this session: everyone in it can type.').waitFor();
    await first.locator('.terminal-pane .xterm-helper-textarea').pressSequentially('echo $((20+22)) answers\n');
    const rows = (page: typeof first) => page.locator('.terminal-pane .xterm-rows');
    await rows(first).filter({ hasText: '42 answers' }).waitFor();

    const { page: second } = await on.page();
    await second.locator('.session-row', { hasText: 'With a terminal' }).click();
    await second.getByRole('button', { name: 'Terminals', exact: true }).click();
    await second.getByRole('tablist', { name: 'Terminals' }).getByRole('tab').first().click();
    await rows(second).filter({ hasText: '42 answers' }).waitFor();
    await second.getByText('Belongs to this session: everyone in it can type.').waitFor();
    await second.locator('.terminal-pane .xterm-helper-textarea').pressSequentially('echo $((40+2)) too\n');
    await rows(first).filter({ hasText: '42 too' }).waitFor();

    await first.getByRole('button', { name: 'Take control' }).click();
    await first.getByText('Yours: only you can type.').waitFor();
    await second.getByText('Held by another client').waitFor();
    await first.getByRole('button', { name: 'Give it to the session' }).click();
    await second.getByText('Belongs to this session: everyone in it can type.').waitFor();

    await first.getByRole('button', { name: 'Close', exact: true }).click();
    await first.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await rows(first).filter({ hasText: '42 too' }).waitFor();
    await first.getByRole('button', { name: 'Close', exact: true }).click();
    await first.getByRole('alertdialog').getByRole('button', { name: 'Close', exact: true }).click();
    await rows(second).filter({ hasText: '42 answers' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  inBrowser('are opened without typing anything into them, whatever they have printed', async (on) => {
    const { page } = await on.page();
    const typed: string[] = [];
    // As a host would that leaves the questions of programs in what it keeps.
    await page.routeWebSocket(/.*/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((text) => {
        const { action } = JSON.parse(String(text)).params ?? {};
        if (action?.type === 'terminal/input') typed.push(action.data);
        server.send(text);
      });
      const asks = ['[c', '[>c', '[=c', '[5n', '[6n', '[?6n', '[?25$p', 'P$qm\x1b\\\\', ']11;?\x07', '[?1004h', '[>q']
        .map((rest) => `\\u001b${rest}`.replaceAll('\x1b', '\\u001b').replaceAll('\x07', '\\u0007'))
        .join('');
      server.onMessage((text) => socket.send(String(text).replaceAll('old questions', `old ${asks} questions`)));
    });
    await page.reload();
    await newSession(page);
    await page.getByRole('button', { name: 'Terminals', exact: true }).click();
    await page.getByRole('button', { name: 'New terminal' }).click();
    const input = page.locator('.terminal-pane .xterm-helper-textarea');
    const rows = page.locator('.terminal-pane .xterm-rows');
    await input.pressSequentially("printf 'old %s\\n' questions\n");
    await rows.filter({ hasText: 'old  questions' }).waitFor();
    await page.reload();
    await rows.filter({ hasText: 'old  questions' }).waitFor();
    typed.length = 0;
    await input.focus();
    await input.pressSequentially('echo $((6*7)) end\n');
    await rows.filter({ hasText: '42 end' }).waitFor();
    expect(typed.join('')).toBe('echo $((6*7)) end\r');
  });

  inBrowser('of another session are not among those of this one', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/run echo elsewhere');
    await page.getByRole('button', { name: 'Review changes' }).waitFor();
    await newSession(page);
    await page.getByRole('button', { name: 'Terminals', exact: true }).click();
    const drawer = page.getByRole('region', { name: 'Terminals' });
    await drawer.getByText('This session has no terminal.').waitFor();
    await drawer.getByRole('button', { name: 'New terminal' }).click();
    const tabs = drawer.getByRole('tab');
    await expect.poll(() => tabs.first().getAttribute('aria-selected')).toBe('true');
    expect(await tabs.count()).toBe(1);
    expect(await tabs.filter({ hasText: 'echo elsewhere' }).count()).toBe(0);
  });

  inBrowser('are asked for anew when they have printed much, and go on', async (on) => {
    const { page } = await on.page();
    const asked: string[] = [];
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        const { method, params } = JSON.parse(String(payload));
        if (method === 'subscribe' && /^ahp-terminal:/.test(params.channel)) asked.push(params.channel);
      }),
    );
    await page.reload();
    await newSession(page);
    await page.getByRole('button', { name: 'Terminals', exact: true }).click();
    await page.getByRole('button', { name: 'New terminal' }).click();
    const input = page.locator('.terminal-pane .xterm-helper-textarea');
    const rows = page.locator('.terminal-pane .xterm-rows');
    await page.getByText('Belongs to this session: everyone in it can type.').waitFor();
    const before = asked.length;
    await input.pressSequentially('yes some of what it prints | head -c 6000000; echo $((6*7)) is the end\n');
    await rows.filter({ hasText: '42 is the end' }).waitFor();
    expect(asked.length).toBeGreaterThan(before);
    // Still the same screen, with what is typed going where it went.
    await page.keyboard.type('echo $((7*7)) after it\n');
    await rows.filter({ hasText: '49 after it' }).waitFor();
  });

  inBrowser('can be typed into after a reload, also those that a client took for itself', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await page.getByRole('button', { name: 'Terminals', exact: true }).click();
    const input = page.locator('.terminal-pane .xterm-helper-textarea');
    const rows = page.locator('.terminal-pane .xterm-rows');
    await page.getByRole('button', { name: 'New terminal' }).click();
    await page.getByText('Belongs to this session: everyone in it can type.').waitFor();
    await page.reload();
    await input.pressSequentially('echo $((6*7)) reloads\n');
    await rows.filter({ hasText: '42 reloads' }).waitFor();

    await page.getByRole('button', { name: 'Take control' }).click();
    await page.getByText('Yours: only you can type.').waitFor();
    await page.reload();
    await page.getByText('Yours: only you can type.').waitFor();
    await input.pressSequentially('echo $((7*7)) again\n');
    await rows.filter({ hasText: '49 again' }).waitFor();

    // A second tab begins with a copy of what the first one keeps, and is somebody else for all that.
    const opening = page.context().waitForEvent('page');
    await page.evaluate(() => void window.open(location.href));
    const copy = await opening;
    await copy.getByText('Held by another client').waitFor();
    await input.pressSequentially('echo $((8*8)) still\n');
    await rows.filter({ hasText: '64 still' }).waitFor();
  });
});

describe('the keyboard', () => {
  inBrowser('reaches everything: palette, help, review, changes, files', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/title By keyboard\n/write a.txt one\\n\n/write b.txt two\\n');
    await page.getByRole('button', { name: 'Review changes' }).waitFor();
    await page.keyboard.press('Alt+r');
    await page.locator('.review .diff-line.added', { hasText: 'two' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.locator('[data-cursor] .hunk-head').waitFor();
    await page.keyboard.press('c');
    await page.getByLabel('Comment', { exact: true }).fill('Seen');
    await page.keyboard.press('Control+Enter');
    await page.locator('.thread-entry', { hasText: 'Seen' }).waitFor();
    await page.locator('.diff-scroll').focus();
    await page.keyboard.press('Control+/');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Next change').waitFor();
    await page.keyboard.press('Escape');
    // Nothing to press or to fill in is without a name.
    const nameless = await page.locator('button, input, select, textarea').evaluateAll((all) =>
      all
        .filter((element) => {
          const labels = 'labels' in element ? (element.labels as NodeListOf<Element> | null) : null;
          return !element.ariaLabel && !element.textContent?.trim() && !labels?.length;
        })
        .map((element) => element.outerHTML),
    );
    expect(nameless).toEqual([]);
    await page.keyboard.press('Control+k');
    // Sessions are there before anything is typed, and the last of all rows can be seen when it is chosen.
    const rows = page.getByRole('dialog', { name: 'Palette' }).getByRole('option');
    expect(await rows.first().innerText()).toContain('repository');
    for (let left = await rows.count(); left > 0; left--) await page.keyboard.press('ArrowDown');
    const isSeen = await rows.last().evaluate((row) => {
      const list = row.parentElement?.getBoundingClientRect();
      return list !== undefined && row.getBoundingClientRect().bottom <= list.bottom + 1;
    });
    expect(isSeen).toBe(true);
    await page.getByLabel('Find an action or a session').fill('by key');
    await page.getByRole('option', { name: /By keyboard/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('a dialog', () => {
  inBrowser('is gone with the key that closes it, so that the next key is not lost', async (on) => {
    const { page } = await on.page();
    await page.getByRole('button', { name: 'New session' }).first().waitFor();
    await page.keyboard.press('Control+/');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    const left = await page.evaluate(async () => {
      const press = (key: string) =>
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      press('Escape');
      await Promise.resolve();
      return document.querySelectorAll('dialog').length;
    });
    expect(left).toBe(0);
  });
});

describe('a phone', () => {
  inBrowser('shows one thing at a time, and nothing runs out of the screen', async (on) => {
    const { page } = await on.page(on.host.web, { width: 375, height: 740 });
    await page.getByRole('button', { name: 'Sessions' }).click();
    await newSession(page);
    await say(page, `/write ${'long-name-'.repeat(12)}.txt ${'word '.repeat(80)}`);
    await page.getByRole('button', { name: /Allow once/ }).click();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.locator('.review .diff-line.added').first().waitFor();
    expect(await page.getByLabel('Message to the agent').isVisible()).toBe(false);
    for (const name of ['Sessions', 'Chat', 'Changes', 'Terminal']) {
      await page.getByRole('navigation', { name: 'Parts of the page' }).getByRole('button', { name }).click();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([name, width]).toEqual([name, 375]);
    }
  });
});
