import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect } from 'vitest';
import { EVERYTHING } from '../support/mcp.js';
import { ProtectedServer } from '../support/mcp-http-server.js';
import { newSession, say, withBrowser } from '../support/web.js';

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

async function customizations(page: Page) {
  await page.getByRole('button', { name: /^Tools and rules/ }).click();
  return page.getByRole('dialog', { name: 'Tools and rules' });
}

describe('what surrounds a session', () => {
  inBrowser('is shown: servers with their state, and what is wrong with them', async (on) => {
    const { page, complaints } = await on.page();
    await newSession(page);
    const dialog = await customizations(page);
    const row = (name: string) => dialog.locator('.customization', { hasText: name });
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
    const dialog = await customizations(page);
    const row = dialog.locator('.customization', { hasText: 'everything' });
    await row.getByText('Ready').waitFor();
    await row.getByRole('switch', { name: 'MCP server everything' }).click();
    await row.getByText('Switched off').waitFor();
    const { page: other } = await on.page();
    await other.locator('.session-row', { hasText: 'Switched' }).click();
    const theirs = (await customizations(other)).locator('.customization', { hasText: 'everything' });
    expect(await theirs.getByRole('switch').getAttribute('aria-checked')).toBe('false');
    await theirs.getByRole('switch').click();
    await row.getByText('Ready').waitFor();
  });

  inBrowser('asks with a form, which is answered with what it shows', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/mcp everything trigger-elicitation-request {}');
    const form = page.getByRole('form', { name: 'Question from the agent' });
    await form.getByText('The MCP server "everything" asks').waitFor();
    await form.getByLabel(/name/i).first().fill('Ada <b>');
    await form.getByRole('button', { name: 'Answer', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    const call = page.locator('.tool-call', { hasText: 'everything' });
    await call.getByRole('button', { expanded: false }).click();
    await expect.poll(() => call.innerText(), { timeout: 20_000 }).toContain('Ada <b>');
  });

  inBrowser('has rules, skills and prompts of the folder, with names that are text', async (on) => {
    on.write('AGENTS.md', '# Rules\n\nBe brief.\n');
    on.write('.agents/skills/greet/SKILL.md', `---\nname: greet\ndescription: 'Says ${HOSTILE}'\n---\n\nSay hello.\n`);
    mkdirSync(join(on.workspace, '.agents/skills/broken'), { recursive: true });
    writeFileSync(join(on.workspace, '.agents/skills/broken/SKILL.md'), '---\nname: "never closed\n---\n');
    const { page, complaints } = await on.page();
    await newSession(page);
    const dialog = await customizations(page);
    const skills = dialog.locator('.customization', { hasText: '.agents/skills' });
    await skills.locator('.problem').waitFor();
    await skills.locator('summary').click();
    await skills.getByText(`Says ${HOSTILE}`).waitFor();
    await dialog.locator('.customization', { hasText: 'rule' }).first().waitFor();
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
