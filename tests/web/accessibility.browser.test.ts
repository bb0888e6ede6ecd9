import { describe, expect } from 'vitest';
import { violationsInBothColours } from '../support/axe.js';
import { EVERYTHING } from '../support/mcp.js';
import { composer, newSession, say, toggleView, withBrowser } from '../support/web.js';

const inBrowser = withBrowser(async () => ({
  mcpServers: {
    everything: { command: process.execPath, args: [EVERYTHING, 'stdio'] },
    broken: { command: '/nowhere/at/all' },
    // A port that nobody can listen at.
    away: { url: 'http://127.0.0.1:1/mcp', enabled: false },
  },
}));

describe('every screen', () => {
  inBrowser(
    'can be used with a screen reader and seen well, light and dark',
    async (on) => {
      on.write('src/code.ts', 'export const a = 1;\nconst b = "two"; // three\n');
      on.write('.agents/skills/greet/SKILL.md', '---\nname: greet\ndescription: Greets\n---\nHello.\n');
      on.git('add', '.');
      const { page: gate } = await on.page(on.host.web.replace(/#.*/, ''));
      const problems = await violationsInBothColours(gate, 'sign in');
      const { page } = await on.page();
      const check = async (screen: string) => problems.push(...(await violationsInBothColours(page, screen)));

      await page.getByRole('heading', { name: 'What should the agent do?' }).waitFor();
      await check('empty');
      await page.getByRole('button', { name: 'New session' }).first().click();
      await check('new session');
      await page.getByRole('button', { name: /Set up an agent|Agents…/ }).click();
      await page.getByText('Add another agent').click();
      await check('agents');
      await page.keyboard.press('Escape');
      await page.getByLabel('Isolation').selectOption('Work tree');
      await page.getByRole('combobox', { name: 'Base branch' }).click();
      await page.getByRole('listbox', { name: 'Base branch' }).getByRole('option').first().waitFor();
      await check('new session in a work tree, choosing a branch');
      await page.getByRole('combobox', { name: 'Base branch' }).press('Escape');
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await check('new session, settings');
      await newSession(page);
      await check('new conversation');
      await composer(page).pressSequentially('@code');
      await page.getByRole('option', { name: /code\.ts/ }).waitFor();
      await check('completions');
      await composer(page).press('Enter');
      await page.locator('.composer .chip').waitFor();
      await check('attachment');
      await composer(page).fill('');
      await page.getByRole('button', { name: /^Tools and rules/ }).click();
      await page.locator('.customizations .problem').first().waitFor();
      for (const summary of await page.locator('.customizations summary').all()) await summary.click();
      await check('tools and rules');
      await page.keyboard.press('Escape');
      const code = '```ts\\nconst a: number = 1; // why\\n```';
      await say(
        page,
        [
          '/title Everything',
          '/think About it',
          `/say # Heading\\n\\nSome **text**, a [link](https://example.org), \`code\`.\\n\\n${code}\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |`,
          '/auto on',
          '/write src/code.ts export const a = 2;\\nconst b = "two"; // four\\n',
          '/auto off',
          '/write other.txt text',
        ].join('\n'),
      );
      await page.getByRole('heading', { name: 'Write other.txt?' }).waitFor();
      await say(page, '/ask Which colour? | red | blue');
      await page.locator('.pending-row').waitFor();
      await check('confirmation and queue');
      await page.getByRole('button', { name: /Allow once/ }).click();
      await page.getByLabel('red').waitFor();
      await check('question');
      await page.getByLabel('red').check();
      await page.getByRole('button', { name: 'Answer', exact: true }).click();
      await page.locator('.answer', { hasText: 'red' }).last().waitFor();
      for (const call of await page.locator('.tool-head').all()) await call.click();
      await check('conversation with open tool calls');
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await check('delete');
      await page.keyboard.press('Escape');
      await page.locator('.session-row').first().click({ button: 'right' });
      await check('menu of a session');
      await page.getByRole('menuitem', { name: 'Select' }).click();
      await check('selected sessions');
      await page.getByRole('button', { name: 'Clear the selection' }).click();

      await page.getByRole('button', { name: 'Review changes' }).first().click();
      await page.locator('.review .diff-line.added').first().waitFor();
      await check('review');
      for (const name of ['View', 'More', 'Other ways to finish']) {
        await page.locator('.review-head').getByRole('button', { name, exact: true }).click();
        await page.getByRole('menu').waitFor();
        await check(`review, ${name}`);
        await page.keyboard.press('Escape');
      }
      await page.locator('.diff-line.added').first().hover();
      await check('hunk under the pointer');
      await page.getByRole('button', { name: 'Search the changes' }).click();
      await page.getByRole('textbox', { name: 'Search the changes' }).fill('export');
      await page.locator('.found').first().waitFor();
      await check('search in the review');
      await page.keyboard.press('Escape');
      await toggleView(page, 'Side by side');
      await page.getByRole('button', { name: 'Line 1, after' }).first().dblclick();
      await page.getByLabel('Comment', { exact: true }).fill('Why?');
      await check('review side by side with a comment');
      await page.keyboard.press('Control+Enter');
      await page.locator('.thread-entry').waitFor();
      await check('comments');
      await page.getByRole('button', { name: 'Edit the comment' }).click();
      await check('editing a comment');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: '1 comment', exact: true }).click();
      await page.getByRole('dialog', { name: 'Comments' }).waitFor();
      await check('all comments');
      await page.keyboard.press('Escape');
      await page.locator('.thread').getByRole('button', { name: 'Delete', exact: true }).click();
      await check('deleting comments');
      await page.locator('.thread').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Resolve' }).click();
      await page.getByRole('button', { name: /resolved/ }).waitFor();
      await check('resolved comments');
      await page.getByRole('button', { name: 'Close the review' }).click();

      await page.getByRole('button', { name: 'Terminals', exact: true }).click();
      await page
        .getByRole('button', { name: /Open a terminal|New terminal/ })
        .first()
        .click();
      await page.locator('.xterm-screen').waitFor();
      await check('terminals');
      await page.getByRole('button', { name: 'Close the terminals' }).click();
      for (const [key, name] of [
        ['Control+k', 'Palette'],
        ['Control+/', 'Keys'],
        ['Alt+h', 'Hosts'],
      ] as const) {
        await page.locator('body').press(key);
        await page.getByRole('dialog', { name }).waitFor();
        await check(name);
        await page.keyboard.press('Escape');
      }
      await page.setViewportSize({ width: 390, height: 780 });
      await check('phone, conversation');
      await page.getByRole('button', { name: /^Tools and rules/ }).click();
      await page.getByRole('dialog', { name: 'Tools and rules' }).waitFor();
      await check('phone, tools and rules');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(390);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Changes', exact: true }).last().click();
      await page.locator('.review .diff-line').first().waitFor();
      await check('phone, review');
      await page.getByRole('button', { name: 'Sessions', exact: true }).click();
      await check('phone, sessions');
      expect(problems).toEqual([]);
    },
    180_000,
  );
});
