import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { scripted } from '../support/acp/scripted.js';
import { newPrompt, withBrowser } from '../support/web.js';

const folder = mkdtempSync(join(tmpdir(), 'moorage-adopt-web-'));
const state = join(folder, 'sessions.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inBrowser = withBrowser(async () => {
  const { command, args } = scripted();
  const env = { SCRIPTED_STATE: state, SCRIPTED_LISTS: '1', SCRIPTED_USERS: '1' };
  return { agents: { scripted: { type: 'acp', displayName: 'Scripted', command, args, env } } };
});

describe('the prompt for a new session', () => {
  inBrowser('continues what an agent did in the folder before', async (on) => {
    writeFileSync(state, JSON.stringify({ before: { cwd: on.workspace, heard: ['Paint it black'] } }));
    const { page, complaints } = await on.page();
    const prompt = await newPrompt(page);
    await prompt.getByLabel('Agent').selectOption('scripted');
    await prompt.getByRole('button', { name: 'Continue an earlier session' }).click();
    const dialog = page.getByRole('dialog', { name: 'Earlier sessions of Scripted' });
    await dialog.getByRole('button', { name: 'before' }).click();
    await page.getByText('Paint it black', { exact: true }).waitFor();
    await page.getByText('(replayed) Paint it black', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
