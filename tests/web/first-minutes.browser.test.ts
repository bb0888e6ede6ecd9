import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { composer, newPrompt, newSession, withBrowser } from '../support/web.js';

/** A folder in PATH in which programs are installed during the test. */
const programs = mkdtempSync(join(tmpdir(), 'moorage-programs-'));
const path = process.env.PATH;
process.env.PATH = `${programs}:${path}`;
afterAll(() => {
  process.env.PATH = path;
  rmSync(programs, { recursive: true, force: true });
});

const inBrowser = withBrowser();

describe('in the first minutes', () => {
  inBrowser('known agents say whether they can be used, and appear once they are installed', async (on) => {
    const { page, complaints } = await on.page();
    const prompt = await newPrompt(page);
    await prompt.getByRole('button', { name: /Set up an agent|Agents…/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Agents' });
    const row = dialog.locator('.agent-row', { hasText: 'Auggie' });
    await row.getByText('Not installed').waitFor();
    const install = 'npm install --global @augmentcode/auggie';
    await row.getByText(install).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await row.getByRole('button', { name: `Copy ${install}` }).click();
    await row.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(install);
    await dialog.locator('.agent-row', { hasText: 'Demo' }).getByText('Ready').waitFor();
    await dialog.locator('.agent-row', { hasText: 'Model' }).getByText('Not configured').waitFor();

    const program = join(programs, 'auggie');
    writeFileSync(program, '#!/bin/sh\nexit 1\n');
    chmodSync(program, 0o755);
    await row.getByText('Ready').waitFor(); // nobody has tried it yet
    await page.keyboard.press('Escape');
    await prompt.getByTitle('Agent', { exact: true }).locator('select').selectOption('Auggie');
    await prompt.getByLabel('First message').fill('Hello');
    await prompt.getByRole('button', { name: 'Start session' }).click();
    await composer(page).waitFor();
    await newPrompt(page);
    await expect
      .poll(() => prompt.getByTitle('Agent', { exact: true }).locator('select').locator('option').allInnerTexts(), {
        timeout: 30_000,
      })
      .toContain('Auggie (cannot be used)');
    expect(complaints).toEqual([]);
  });

  inBrowser(
    'an agent and an MCP server are added to the configuration, which the host reads when it starts',
    async (on) => {
      const { page, complaints } = await on.page();
      const prompt = await newPrompt(page);
      await prompt.getByRole('button', { name: /Set up an agent|Agents…/ }).click();
      const agents = page.getByRole('dialog', { name: 'Agents' });
      await agents.getByText('Add another agent').click();
      const add = agents.getByRole('button', { name: 'Add', exact: true });
      await agents.getByLabel('Name').fill('my agent');
      await agents.getByText('A name has only letters').waitFor();
      expect(await add.isDisabled()).toBe(true);
      await agents.getByLabel('Name').fill('demo'); // which the host keeps for its own
      await agents.getByLabel('Command or URL').fill('quick-agent --acp --title "two words"');
      await add.click();
      await agents.getByRole('alert').getByText('expected another name').waitFor();
      expect(on.config()).toEqual({});
      await agents.getByLabel('Name').fill('quick');
      await agents
        .getByText('moorage agents add quick -- quick-agent --acp --title "two words"', { exact: true })
        .waitFor();
      await add.click();
      await agents.getByText(/^Added quick in .*config\.json\. Start the host again to use it:$/).waitFor();
      await agents.getByText('moorage host stop && moorage host start').waitFor();
      await agents.getByRole('button', { name: 'ollama' }).click();
      await agents.getByText('moorage agents add ollama --url http://127.0.0.1:11434/v1', { exact: true }).waitFor();
      await add.click();
      await agents.getByText(/^Added ollama in/).waitFor();
      await page.keyboard.press('Escape');
      await newSession(page);
      await page.getByRole('button', { name: /^Tools and rules/ }).click();
      const tools = page.getByRole('dialog', { name: 'Tools and rules' });
      await tools.getByText('An MCP server').click();
      await tools.getByLabel('Name').fill('docs');
      await tools.getByLabel('Command or URL').fill('docs-server');
      await tools.getByRole('button', { name: 'Add', exact: true }).click();
      await tools.getByText(/^Added docs in/).waitFor();
      expect(on.config()).toEqual({
        agents: {
          quick: { type: 'acp', command: 'quick-agent', args: ['--acp', '--title', 'two words'] },
          ollama: { type: 'model', api: 'openai', baseURL: 'http://127.0.0.1:11434/v1' },
        },
        mcpServers: { docs: { command: 'docs-server' } },
      });
      await on.restartHost();
      await page.getByRole('button', { name: /^Tools and rules/ }).waitFor();
      await page.keyboard.press('Escape');
      const again = await newPrompt(page);
      await again.getByRole('button', { name: /Set up an agent|Agents…/ }).click();
      await agents.locator('.agent-row', { hasText: 'ollama' }).waitFor();
      expect(complaints).toEqual([]);
    },
  );

  inBrowser('rules begin with an example, which is never written over what is there', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await page.getByRole('button', { name: /^Tools and rules/ }).click();
    const tools = page.getByRole('dialog', { name: 'Tools and rules' });
    await tools.getByText('A skill that an agent can use').click();
    await tools.getByRole('button', { name: 'Write .agents/skills/changelog/SKILL.md' }).click();
    await tools.locator('.customization', { hasText: 'skills' }).getByText('1 skill').waitFor();
    expect(on.read('.agents/skills/changelog/SKILL.md')).toContain('name: changelog');
    on.write('AGENTS.md', 'mine\n');
    await tools.getByText('Rules for every message').click();
    await tools.getByRole('button', { name: 'Write AGENTS.md' }).click();
    await tools.getByRole('alert').waitFor();
    expect(on.read('AGENTS.md')).toBe('mine\n');
  });
});
