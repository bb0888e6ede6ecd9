import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { freePort } from '../support/free-port.js';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { removeFolder } from '../support/remove-folder.js';
import { newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

/** A second host, and a first one that lets its page go there. */
let folder: string;
let hosts: HostProcess[];
let ports: { page: string; other: string };
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-hosts-')));
  hosts = [];
  ports = { page: String(await freePort()), other: String(await freePort()) };
});
afterEach(async () => {
  await Promise.all(hosts.map((host) => host.stop()));
  await removeFolder(folder);
});

async function start(name: 'page' | 'other', config: object): Promise<HostProcess> {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(config));
  const data = join(folder, name);
  const host = await startHostProcess(['--data-dir', data, '--playground', '--port', ports[name], '--config', file]);
  hosts.push(host);
  return host;
}

const origin = (name: 'page' | 'other') => `http://127.0.0.1:${ports[name]}`;

async function addHost(page: Page, link: string, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a host' }).click();
  const form = page.getByRole('form', { name: 'Add a host' });
  await form.getByLabel('Link or address').fill(link);
  await form.getByLabel('Name').fill(name);
  await form.getByRole('button', { name: 'Add' }).click();
}

describe('another host', () => {
  inBrowser('is added by its link; its sessions are in the same list and can be worked with', async (on) => {
    const first = await start('page', { otherHosts: [origin('other')] });
    const second = await start('other', { allowedOrigins: [origin('page')] });
    const { page, complaints } = await on.page(first.web);
    await newSession(page);
    await say(page, '/title On the first\n/say one');
    await page.getByRole('heading', { name: 'On the first' }).waitFor();

    await addHost(page, second.web, 'Build box');
    await page.getByText('Connected, 0 sessions.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByRole('combobox', { name: 'Host' }).selectOption('Build box');
    await page.getByLabel('First message').fill('/title On the second\n/write made.txt there');
    await page.getByRole('button', { name: 'Start session' }).click();
    await page.getByRole('button', { name: /Allow once/ }).click();
    await page.getByText('Wrote made.txt').waitFor();
    const row = page.locator('.session-row', { hasText: 'On the second' });
    expect(await row.innerText()).toContain('Build box');
    // What is read from files comes from there, too.
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.locator('.review .diff-line.added', { hasText: 'there' }).waitFor();

    // The other host has it, the first has not.
    const { page: there } = await on.page(second.web);
    await there.locator('.session-row', { hasText: 'On the second' }).waitFor();
    expect(await there.locator('.session-row', { hasText: 'On the first' }).count()).toBe(0);

    await page.reload();
    await page.locator('.review .diff-line.added', { hasText: 'there' }).waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('that goes away leaves the others as they are, and comes back by itself', async (on) => {
    const first = await start('page', { otherHosts: [origin('other')] });
    const second = await start('other', { allowedOrigins: [origin('page')] });
    const { page } = await on.page(first.web);
    await newSession(page);
    await say(page, '/title Here\n/say one');
    await addHost(page, second.web, 'Build box');
    await page.getByText('Connected, 0 sessions.').waitFor();
    await page.keyboard.press('Escape');
    await second.kill();
    const foot = page.locator('.hosts-foot');
    await foot.getByText('not connected').waitFor();
    expect(await page.getByText('Reconnecting').count()).toBe(0);
    await say(page, '/say still works');
    await page.locator('.markdown', { hasText: 'still works' }).waitFor();

    // A page that is opened meanwhile is no worse off.
    await page.reload();
    await page.locator('.markdown', { hasText: 'still works' }).waitFor();
    await foot.getByText('not connected').waitFor();
    await start('other', { allowedOrigins: [origin('page')] });
    await foot.getByText('not connected').waitFor({ state: 'detached' });
  });

  inBrowser('is forgotten when it is removed', async (on) => {
    const first = await start('page', { otherHosts: [origin('other')] });
    const second = await start('other', { allowedOrigins: [origin('page')] });
    const { page } = await on.page(first.web);
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
    await addHost(page, second.web, 'Build box');
    await page.getByText('Connected').waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain(second.token);
    await page.getByRole('button', { name: 'Remove Build box' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Connected').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  inBrowser('that does not know the page, or that the page may not go to, is said with what to do', async (on) => {
    const first = await start('page', { otherHosts: [origin('other')] });
    const second = await start('other', {});
    const { page } = await on.page(first.web);
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
    await addHost(page, second.web, 'Closed');
    await page.getByText(`allowedOrigins in its configuration does not include ${origin('page')}`).waitFor();
    // Anything else: the page's own policy stops it.
    const form = page.getByRole('form', { name: 'Add a host' });
    const strange = `http://127.0.0.1:${await freePort()}`;
    await form.getByLabel('Link or address').fill(strange);
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByText('The token is missing').waitFor();
    await form.getByLabel('Token').fill('abc');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByText(`Add ${strange} to otherHosts`).waitFor();
  });
});

describe('otherHosts', () => {
  inBrowser('takes origins only, so that nothing else gets into the policy', async () => {
    for (const wrong of ['*', 'https://a.example; script-src *', 'https://a.example/path', 'ws:', "'unsafe-inline'"])
      await expect(start('page', { otherHosts: [wrong] })).rejects.toThrow(/otherHosts.*expected an origin/);
  });
});
