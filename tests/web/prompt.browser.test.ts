import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { composer, newPrompt, newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();
const PATIENT = { timeout: 30_000 };

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a new session', () => {
  inBrowser('exists only once its first message is sent', async (on) => {
    const { page, complaints } = await on.page();
    const prompt = page.locator('.home');
    await prompt.getByLabel('First message').waitFor(); // nothing is open, so this is what the page shows
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('First message');
    await page.keyboard.type('/title Begun with words');
    expect(await page.locator('.session-row').count()).toBe(0);
    await page.reload(); // what is typed survives
    await expect.poll(() => prompt.getByLabel('First message').inputValue()).toBe('/title Begun with words');
    await page.keyboard.press('Enter');
    await page.locator('.session-row', { hasText: 'Begun with words' }).waitFor();
    expect(await page.locator('.session-row').count()).toBe(1);
    await newPrompt(page);
    expect(await page.getByRole('button', { name: 'Start session' }).isDisabled()).toBe(true);
    await page.keyboard.press('Enter'); // nothing to send
    expect(await prompt.getByLabel('First message').inputValue()).toBe('');
    expect(await page.locator('.session-row').count()).toBe(1);
    await page.goBack();
    await composer(page).waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('works in a recent folder, or in one that is completed while it is typed', async (on) => {
    mkdirSync(join(on.workspace, 'packages', 'one'), { recursive: true });
    const { page } = await on.page();
    const prompt = await newPrompt(page);
    const folder = prompt.getByRole('combobox', { name: 'Folder' });
    expect(await folder.inputValue()).toBe(on.workspace);
    await folder.click();
    await prompt.getByRole('option', { name: 'No folder' }).waitFor();
    await folder.fill(`${on.workspace}/pack`);
    await prompt.getByRole('option', { name: `${on.workspace}/packages` }).waitFor();
    await folder.press('ArrowDown');
    await folder.press('Enter');
    expect(await folder.inputValue()).toBe(`${on.workspace}/packages`);
    await prompt.getByLabel('First message').fill('/title In packages');
    await page.keyboard.press('Enter');
    await page.locator('.session-head .folder', { hasText: 'packages' }).waitFor();
    // It is offered from now on.
    await newPrompt(page);
    await folder.click();
    await prompt.getByRole('option', { name: `${on.workspace}/packages` }).waitFor();
  });

  inBrowser('takes a picture along, which can be looked at', async (on) => {
    const { page, complaints } = await on.page();
    const prompt = await newPrompt(page);
    const chooser = page.waitForEvent('filechooser');
    await prompt.getByRole('button', { name: 'Attach files' }).click();
    await (await chooser).setFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PICTURE });
    await prompt.getByRole('button', { name: 'Remove dot.png' }).waitFor();
    await prompt.getByLabel('First message').fill('/title With a picture');
    await prompt.getByRole('button', { name: 'Start session' }).click();
    await page.locator('.user-message').getByText('dot.png').waitFor();
    await page.locator('.user-message').getByRole('button', { name: 'Open dot.png' }).press('Enter');
    await page.getByRole('dialog', { name: 'dot.png' }).getByRole('img', { name: 'dot.png' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'dot.png' }).waitFor({ state: 'detached' });
    await composer(page).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a message that is sent again', () => {
  inBrowser('takes the conversation back, the files, or both', async (on) => {
    const { page, complaints } = await on.page();
    await newSession(page);
    const turns = (count: number) => expect.poll(() => page.locator('.turn-foot').count(), PATIENT).toBe(count);
    await say(page, '/auto on\n/write again.txt one');
    await turns(1);
    await say(page, '/write again.txt two');
    await turns(2);
    const resend = async (index: number, text: string, what: string) => {
      await page.getByRole('button', { name: 'Edit and send again' }).nth(index).press('Enter');
      await page.getByLabel('Edit the message').fill(text);
      await page.getByLabel('Take back').selectOption(what);
      await page.getByRole('button', { name: 'Send again', exact: true }).press('Enter');
      await page.getByLabel('Edit the message').waitFor({ state: 'detached' });
    };
    await resend(1, '/say only files', 'files');
    await turns(3);
    expect(on.read('again.txt')).toBe('one');
    await resend(0, '/say both', 'both');
    await page.locator('.markdown', { hasText: 'both' }).waitFor();
    await turns(1);
    expect(on.git('status', '--porcelain')).not.toContain('again.txt');
    expect(complaints).toEqual([]);
  });
});
