import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { composer, newPrompt, newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

describe('a session', () => {
  inBrowser('is deleted when that was confirmed, for everybody', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/title To be deleted\n/say Hello');
    await page.locator('.markdown', { hasText: 'Hello' }).waitFor();
    const { page: other } = await on.page();
    await other.locator('.session-row', { hasText: 'To be deleted' }).click();
    await composer(other).waitFor();

    await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
    const question = page.getByRole('alertdialog', { name: 'Delete the session' });
    expect(await question.innerText()).toContain('30 days');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.locator('.session-row', { hasText: 'To be deleted' }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'What should the agent do?' }).waitFor();

    await other.getByRole('heading', { name: 'This session was deleted' }).waitFor();
    await other.getByRole('button', { name: 'Back to the sessions' }).click();
    await other.getByRole('heading', { name: 'What should the agent do?' }).waitFor();
  });

  inBrowser('that was deleted comes back with all that was said in it', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/title Deleted too soon\n/say Still here');
    await page.locator('.markdown', { hasText: 'Still here' }).waitFor();
    const row = page.locator('.session-row', { hasText: 'Deleted too soon' });
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
    await page.getByRole('alertdialog', { name: 'Delete the session' }).getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await row.click();
    await page.locator('.markdown', { hasText: 'Still here' }).waitFor();
    await say(page, '/say And on it goes');
    await page.locator('.markdown', { hasText: 'And on it goes' }).waitFor();
  });

  inBrowser('is archived and taken out of the archive', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/title For later\n/say Hello');
    await page.locator('.markdown', { hasText: 'Hello' }).waitFor();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    const row = page.locator('.session-row', { hasText: 'For later' });
    await row.waitFor({ state: 'detached' });
    await page.getByLabel('Show', { exact: true }).selectOption('archived');
    await row.click();
    await page.getByRole('button', { name: 'Unarchive' }).click();
    await row.waitFor({ state: 'detached' });
    await page.locator('.toast', { hasText: 'Session unarchived.' }).waitFor();
    await page.getByLabel('Show', { exact: true }).selectOption('all');
    await row.waitFor();
  });
});

describe('the settings of a new session', () => {
  // Which settings there are is the host's to say. These stand for what any host may declare.
  inBrowser('are a form made of what the host declares, and go with the session', async (on) => {
    const { page } = await on.page();
    const asked = await answerConfig(page);
    await page.reload();
    const prompt = await newPrompt(page);
    const isolation = prompt.getByLabel('Where the agent works');
    expect(await isolation.inputValue()).toBe('workspace');
    expect(await prompt.getByRole('combobox', { name: 'Branch to start from' }).count()).toBe(0);

    // A choice may bring more settings.
    await isolation.selectOption('In a work tree');
    const branch = prompt.getByRole('combobox', { name: 'Branch to start from' });
    await branch.waitFor();
    expect(await branch.inputValue()).toBe('main');
    await branch.click();
    await branch.fill('rel');
    await prompt.getByRole('option', { name: /release\/2/ }).waitFor();
    await prompt.getByRole('option', { name: /main/ }).waitFor({ state: 'detached' }); // what is offered is for what was typed
    await branch.press('ArrowDown');
    await branch.press('ArrowDown');
    await branch.press('Enter');
    expect(await branch.inputValue()).toBe('release/2');
    await prompt.getByRole('button', { name: 'Settings' }).click();
    await prompt.getByLabel('Verbose').check();
    await prompt.getByLabel('Name of the new branch').fill('try-it');
    expect(await prompt.locator('.fixed-field').innerText()).toContain('eu-1');
    await prompt.getByLabel('First message').fill('/say hello');
    await prompt.getByRole('button', { name: 'Start session' }).click();
    await expect
      .poll(() => asked.created, { timeout: 30_000 })
      .toMatchObject({
        config: { isolation: 'worktree', baseBranch: 'release/2', verbose: true, branchName: 'try-it', region: 'eu-1' },
      });
    // Asked with all that was chosen by then, so that a host can offer what fits.
    expect(asked.completions.at(-1)).toMatchObject({
      property: 'baseBranch',
      query: 'rel',
      provider: 'demo',
      config: { isolation: 'worktree' },
    });
  });
});

interface Asked {
  created?: object;
  readonly completions: object[];
}

/** Puts settings on a host: it answers these two requests and takes the values, all others the real one answers. */
async function answerConfig(page: Page): Promise<Asked> {
  const asked: Asked = { completions: [] };
  await page.routeWebSocket(/.*/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const message = JSON.parse(String(text));
      const reply = (result: object) => socket.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      if (message.method === 'resolveSessionConfig') return reply(resolved(message.params.config ?? {}));
      if (message.method === 'sessionConfigCompletions') {
        asked.completions.push(message.params);
        return reply({ items: branches(message.params.query ?? '') });
      }
      if (message.method === 'createSession') {
        asked.created = message.params;
        const { config: _, ...params } = message.params;
        return server.send(JSON.stringify({ ...message, params }));
      }
      server.send(text);
    });
  });
  return asked;
}

function branches(query: string): object[] {
  return ['main', 'release/1', 'release/2']
    .filter((name) => name.includes(query))
    .map((name) => ({ value: name, label: name, description: `about ${name}` }));
}

function resolved(config: Readonly<Record<string, unknown>>): object {
  const isTree = config.isolation === 'worktree';
  const properties = {
    isolation: {
      type: 'string',
      title: 'Where the agent works',
      enum: ['workspace', 'worktree'],
      enumLabels: ['In the folder', 'In a work tree'],
      enumDescriptions: ['Its changes are there at once.', 'Beside others.'],
      default: 'workspace',
    },
    ...(isTree && {
      baseBranch: { type: 'string', title: 'Branch to start from', enumDynamic: true, enum: ['main'], default: 'main' },
      branchName: { type: 'string', title: 'Name of the new branch' },
    }),
    verbose: { type: 'boolean', title: 'Verbose', description: 'Says more.' },
    region: { type: 'string', title: 'Region', readOnly: true, default: 'eu-1' },
  };
  const defaults = { isolation: 'workspace', region: 'eu-1', ...(isTree && { baseBranch: 'main' }) };
  return { schema: { type: 'object', properties }, values: { ...defaults, ...config } };
}

describe('a notification', () => {
  interface Notified {
    readonly all: readonly { onclick(): void }[];
  }
  /** Puts a browser that may notify in the place of this one, and the page out of sight. */
  async function watchNotifications(page: Page, fails = false): Promise<void> {
    await page.addInitScript((broken) => {
      class Fake {
        static readonly all: object[] = [];
        static permission = 'default';
        static requestPermission = async () => {
          Fake.permission = 'granted';
          return 'granted';
        };
        constructor(title: string, options: object) {
          if (broken) throw new TypeError('Illegal constructor');
          Fake.all.push(Object.assign(this, { title }, options));
        }
        close() {}
      }
      Object.assign(globalThis, { Notification: Fake });
    }, fails);
    await page.reload();
  }
  const hide = (page: Page) =>
    page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }));

  inBrowser('names the session that waits, and leads to it', async (on) => {
    const { page } = await on.page();
    await watchNotifications(page);
    const bell = page.getByRole('button', { name: 'Notifications' });
    expect(await bell.innerText()).toContain('off');
    await bell.click();
    await expect.poll(() => bell.innerText(), { timeout: 30_000 }).toContain('on');
    await newSession(page);
    await say(page, '/title Here');
    await page.getByRole('heading', { name: 'Here' }).waitFor();
    await hide(page);
    const { page: other } = await on.page();
    await newSession(other);
    await say(other, '/title Over there\n/write notified.txt x');
    await other.getByRole('heading', { name: 'Write notified.txt?' }).waitFor();
    const notified = () => page.evaluate(() => JSON.parse(JSON.stringify((Notification as unknown as Notified).all)));
    await expect.poll(notified, { timeout: 30_000 }).toHaveLength(1);
    const [notice] = await notified();
    expect(notice).toMatchObject({ title: 'Over there needs you', tag: expect.stringContaining('ahp-session:') });
    await page.evaluate(() => (Notification as unknown as Notified).all[0]?.onclick());
    await page.getByRole('heading', { name: 'Write notified.txt?' }).waitFor();

    // Switched off, it stays silent.
    await bell.click();
    await expect.poll(() => bell.innerText(), { timeout: 30_000 }).toContain('off');
    await page.reload();
    expect(await bell.innerText()).toContain('off');
  });

  inBrowser('that the browser cannot show harms nothing', async (on) => {
    const { page, complaints } = await on.page();
    await watchNotifications(page, true);
    await page.getByRole('button', { name: 'Notifications' }).click();
    await newSession(page);
    await hide(page);
    await say(page, '/write broken.txt x');
    await page.getByRole('heading', { name: 'Write broken.txt?' }).waitFor();
    await expect.poll(() => page.title(), { timeout: 30_000 }).toMatch(/^\(\d+\)/);
    expect(await page.getByText('could not be shown').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
