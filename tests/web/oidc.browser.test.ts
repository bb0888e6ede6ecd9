import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { CliWorld } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { CLIENT_ID, OidcProvider } from '../support/oidc-provider.js';

describe('the page of a host with a provider', () => {
  const provider = new OidcProvider();
  const world = new CliWorld();
  let browser: Browser | undefined;
  let home: string;
  beforeAll(async () => {
    const port = await freePort();
    home = `http://127.0.0.1:${port}/`;
    await provider.start([`${home}sign-in/done`]);
    const options = ['--oidc', provider.issuer, '--oidc-client-id', CLIENT_ID, '--oidc-name', 'Example'];
    await world.serve(...options, '--oidc-allow', '@example.com=view', '--port', String(port));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await world.end();
    await provider.stop();
  });

  it('signs people in there, and knows their role', async (context) => {
    if (!browser) return context.skip('there is no browser');
    const page = await browser.newPage();
    page.setDefaultTimeout(30_000);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(home);
    await page.getByRole('link', { name: 'Sign in with Example' }).click();
    await page.locator('input[name=login]').fill('ada');
    await page.locator('input[name=password]').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('navigation').or(page.getByRole('searchbox')).first().waitFor();
    expect(page.url()).toBe(home);
    expect(await page.getByRole('button', { name: 'New session' }).count()).toBe(0); // only to be looked at
    expect(complaints).toEqual([]);
    await page.close();
  });
});
