import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect } from 'vitest';
import { EVERYTHING } from './support/mcp.js';
import { ProtectedServer } from './support/mcp-http-server.js';
import { newSession, say, withBrowser } from './support/web.js';

const HOSTILE = '<img src=x onerror="window.hacked=1">';
let notes: ProtectedServer | undefined;
afterAll(() => notes?.close());

const inBrowser = withBrowser(async () => {
  notes = await ProtectedServer.start();
  return {
    mcpServers: {
      everything: { command: process.execPath, args: [EVERYTHING, 'stdio'] },
      notes: { url: notes.url },
      broken: { command: '/nowhere/at/all' },
      [HOSTILE]: { command: '/nowhere', enabled: false },
    },
  };
});

async function surroundings(page: Page) {
  await page.getByRole('button', { name: /^Tools and rules/ }).click();
  return page.getByRole('dialog', { name: 'Tools and rules' });
}

describe('what surrounds a session', () => {
  inBrowser('is shown: servers with their state, and what is wrong with them', async (on) => {
    const { page, complaints } = await on.page();
    await newSession(page);
    const dialog = await surroundings(page);
    const row = (name: string) => dialog.locator('.surrounding', { hasText: name });
    await row('everything').getByText('Ready').waitFor();
    await row('notes').getByText('Needs a token').waitFor();
    await row('broken').locator('.problem').waitFor();
    await row(HOSTILE).getByText('Switched off').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Tools and rules, 2 with a problem' }).waitFor();
    expect(await page.evaluate(() => (window as { hacked?: string }).hacked)).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  inBrowser('is switched off and on, for everybody', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/title Switched');
    const dialog = await surroundings(page);
    const row = dialog.locator('.surrounding', { hasText: 'everything' });
    await row.getByText('Ready').waitFor();
    await row.getByRole('switch', { name: 'MCP server everything' }).click();
    await row.getByText('Switched off').waitFor();
    const { page: other } = await on.page();
    await other.locator('.session-row', { hasText: 'Switched' }).click();
    const theirs = (await surroundings(other)).locator('.surrounding', { hasText: 'everything' });
    expect(await theirs.getByRole('switch').getAttribute('aria-checked')).toBe('false');
    await theirs.getByRole('switch').click();
    await row.getByText('Ready').waitFor();
  });

  inBrowser('gets a token, and then works; the call says whose tool it was', async (on) => {
    if (!notes) throw new Error('no server');
    const { page } = await on.page();
    await newSession(page);
    const dialog = await surroundings(page);
    const row = dialog.locator('.surrounding', { hasText: 'notes' });
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

  inBrowser('asks with a form, which is answered with what it shows', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/mcp everything trigger-elicitation-request {}');
    const form = page.getByRole('form', { name: 'Question of the agent' });
    await form.getByText('The MCP server "everything" asks').waitFor();
    await form.getByLabel(/name/i).first().fill('Ada <b>');
    await form.getByRole('button', { name: 'Answer' }).click();
    await form.waitFor({ state: 'detached' });
    const call = page.locator('.tool-call', { hasText: 'everything' });
    await call.locator('.tool-state').waitFor({ state: 'attached' });
    await call.getByRole('button').first().click();
    await call.getByText('Ada <b>').first().waitFor();
  });

  inBrowser('has rules, skills and prompts of the folder, with names that are text', async (on) => {
    on.write('AGENTS.md', '# Rules\n\nBe brief.\n');
    on.write('.agents/skills/greet/SKILL.md', `---\nname: greet\ndescription: 'Says ${HOSTILE}'\n---\n\nSay hello.\n`);
    mkdirSync(join(on.workspace, '.agents/skills/broken'), { recursive: true });
    writeFileSync(join(on.workspace, '.agents/skills/broken/SKILL.md'), '---\nname: [\n---\n');
    const { page, complaints } = await on.page();
    await newSession(page);
    const dialog = await surroundings(page);
    const skills = dialog.locator('.surrounding', { hasText: '.agents/skills' });
    await skills.locator('.problem').waitFor();
    await skills.locator('summary').click();
    await skills.getByText(`Says ${HOSTILE}`).waitFor();
    await dialog.locator('.surrounding', { hasText: 'rule' }).first().waitFor();
    expect(await dialog.locator('img').count()).toBe(0);
    const toggle = skills.getByRole('switch');
    await toggle.click();
    await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('false');
    expect(complaints).toEqual([]);
  });
});

describe('what turns use', () => {
  inBrowser('is shown for each turn and in all', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/usage 1200 300');
    await page.locator('.turn-foot .usage', { hasText: '1200 in · 300 out' }).waitFor();
    await say(page, '/usage 8000 500');
    await page.locator('.usage-total', { hasText: '10k tokens' }).waitFor();
  });
});
