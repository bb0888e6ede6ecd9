import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { missingEngines } from '../support/fleet/engines.js';
import { Fleet, type FleetProcess } from '../support/fleet/fleet.js';

const WAIT = { timeout: 30_000, interval: 100 };

describe.skipIf(missingEngines().length > 0)('the page of a gateway', () => {
  let fleet: Fleet;
  let browser: Browser | undefined;
  let gateway: FleetProcess;
  beforeAll(async () => {
    fleet = new Fleet();
    browser = await launchChromium();
    gateway = await fleet.start();
    for (const name of ['north', 'south']) {
      await fleet.host(name, '--enrol', await fleet.invitation('--label', 'pair'));
      await vi.waitFor(async () => {
        const prompt = `/title In the ${name}\n/say hello`;
        const ran = await fleet.moorage('run', '--host', `fleet/${name}`, '--folder=@host', '--yes', prompt);
        expect(ran).toMatchObject({ code: 0 });
      }, WAIT);
    }
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await fleet.end();
  });

  it('lists the sessions of all hosts, and steers each with one login', async (context) => {
    if (!browser) return context.skip('there is no browser');
    const page = await browser.newPage();
    page.setDefaultTimeout(30_000);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${gateway.ready.web}#token=${fleet.token}`);
    await page.getByText('In the north').first().waitFor();
    for (const name of ['south', 'north']) {
      await page.getByText(`In the ${name}`).first().click();
      await page.waitForURL(/\/hosts\/\w+\/#/);
      const prompt = page.getByRole('textbox', { name: /message/i }).first();
      await prompt.fill(`/say steered in the ${name}`);
      await prompt.press('Enter');
      await page.getByText(`steered in the ${name}`, { exact: true }).first().waitFor();
      await page.goto(gateway.ready.web ?? '');
    }
    // A session begins on the host that is chosen.
    await page.goto(`${gateway.ready.web}#pane=new`);
    await page.reload();
    await page.getByRole('link', { name: 'south' }).click();
    await page.waitForURL(/\/hosts\/\w+\/#/);
    const first = page.getByRole('textbox').first();
    await first.fill('/title Begun in the south\n/say a beginning');
    await first.press('Enter');
    await page.getByText('a beginning', { exact: true }).first().waitFor();
    await vi.waitFor(async () => expect((await fleet.moorage('ls')).out).toMatch(/^south .*Begun in the south/m), WAIT);
    // Or on any that has a label.
    await page.goto(`${gateway.ready.web}#pane=new`);
    await page.reload();
    await page.getByRole('link', { name: 'pair', exact: true }).click();
    await page.waitForURL(/\/hosts\/\w+\/#/);
    await page.getByRole('textbox').first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
