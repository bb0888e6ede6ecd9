import { afterAll, describe, expect } from 'vitest';
import { ProtectedServer } from '../support/mcp-http-server.js';
import { newPrompt, say, withBrowser } from '../support/web.js';

let notes: ProtectedServer | undefined;
afterAll(() => notes?.close());

const inBrowser = withBrowser(async () => {
  notes = await ProtectedServer.start();
  return { mcpServers: { notes: { url: notes.url } } };
});

describe('a server that wants a token', () => {
  inBrowser('gets a token, and then works; the call says whose tool it was', async (on) => {
    if (!notes) throw new Error('no server');
    const { page } = await on.page();
    const prompt = await newPrompt(page); // the tokens are those of the client that made the session
    await prompt.getByLabel('First message').fill('/say begun');
    await page.keyboard.press('Enter');
    await page.getByText('begun', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Tools and rules/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Tools and rules' });
    const row = dialog.locator('.customization', { hasText: 'notes' });
    await row.getByText('Needs a token').waitFor();
    expect(await row.innerText()).toContain('https://login.example.com');
    expect(await row.innerText()).toContain('It must allow read');
    notes.tokens.add('right-token');
    const field = row.getByLabel('Token for Notes');
    expect(await field.getAttribute('type')).toBe('password');
    await field.fill('not a token');
    await row.getByRole('button', { name: 'Give token' }).click();
    await row.getByRole('alert').waitFor();
    await field.fill('right-token');
    await field.press('Enter');
    await row.getByText('Ready').waitFor();
    // Kept nowhere that outlives the page.
    const stored = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(stored).not.toContain('right-token');
    await page.keyboard.press('Escape');
    await say(page, '/mcp notes note {"text": "this"}');
    const call = page.locator('.tool-call', { hasText: 'notes' });
    await call.locator('.contributor', { hasText: 'notes' }).waitFor();
    await call.getByRole('button').first().click();
    await call.getByText('noted this').waitFor();
  });
});
