import { connect } from '@moorage/client';
import { ROOT_URI } from '@moorage/protocol';
import { describe, expect } from 'vitest';
import { withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

async function newCode({ url, token }: { url: string; token: string }): Promise<string> {
  const client = await connect({ url, token });
  const { code } = await client.request('moorage/createPairingCode', { channel: ROOT_URI });
  client.close();
  return code;
}

describe('a link with a pairing code', () => {
  inBrowser('signs a browser in for good, and no second one', async (on) => {
    const link = new URL(`/#pair=${await newCode(on.host)}`, on.host.web).href;
    const { page, complaints } = await on.page(link);
    await page.getByRole('button', { name: 'New session' }).first().waitFor();
    expect(page.url()).not.toContain('pair');
    const fresh = await page.context().newPage();
    await fresh.goto(new URL('/', link).href);
    await fresh.getByRole('button', { name: 'New session' }).first().waitFor();
    const second = await on.page(link);
    await second.page.getByRole('alert').getByText('was used').waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('can be typed as a code', async (on) => {
    const { page } = await on.page(new URL('/', on.host.web).href);
    await page.getByLabel('Link or token').fill((await newCode(on.host)).toLowerCase());
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'New session' }).first().waitFor();
  });
});
