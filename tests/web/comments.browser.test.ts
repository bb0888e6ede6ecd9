import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { composer, newSession, say, showChanges, toggleView, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1} of the file`);

/** Comments on a line of the review, by its number. */
async function commentOn(page: Page, line: number, text: string, side = 'after'): Promise<void> {
  await page.getByRole('button', { name: `Line ${line}, ${side}`, exact: true }).dblclick();
  await page.getByLabel('Comment', { exact: true }).fill(text);
  await page.keyboard.press('Control+Enter');
  await page.locator('.thread-entry', { hasText: text }).waitFor();
}

/** The text of the row above a thread. */
async function lineAbove(page: Page, text: string): Promise<string> {
  return page.evaluate((wanted) => {
    const rows = [...document.querySelectorAll<HTMLElement>('.review .virtual-row')].sort(
      (a, b) => Number(a.dataset.index) - Number(b.dataset.index),
    );
    const index = rows.findIndex((row) => row.querySelector('.thread')?.textContent?.includes(wanted));
    return rows[index - 1]?.innerText ?? '';
  }, text);
}

async function review(page: Page, changeset?: string): Promise<void> {
  await page
    .getByRole('button', { name: /^Changes/ })
    .first()
    .click();
  if (changeset) await showChanges(page, changeset);
}

describe('a comment', () => {
  inBrowser('that is half written is closed by Escape and kept, and thrown away by Cancel', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/write closed.txt one');
    await page.getByRole('button', { name: 'Review changes' }).waitFor();
    await review(page);
    const line = page.getByRole('button', { name: 'Line 1, after', exact: true });
    const field = page.getByLabel('Comment', { exact: true });
    await line.dblclick();
    await field.fill('Half a thought');
    await field.evaluate((element) =>
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, isComposing: true })),
    );
    expect(await field.inputValue()).toBe('Half a thought');
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await line.dblclick();
    expect(await field.inputValue()).toBe('Half a thought');
    await page.locator('.thread-form').getByRole('button', { name: 'Cancel' }).click();
    await field.waitFor({ state: 'detached' });
    await line.dblclick();
    expect(await field.inputValue()).toBe('');
  });

  inBrowser('stands under its line in both views, follows it, and says when it is gone', async (on) => {
    on.write('followed.txt', `${LINES.join('\n')}\n`);
    on.commit();
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/replace followed.txt line 20 of => line twenty of');
    await page.getByRole('button', { name: 'Review changes' }).waitFor();
    await review(page, 'Uncommitted');
    await commentOn(page, 20, 'Why twenty?');
    expect(await lineAbove(page, 'Why twenty?')).toContain('line twenty of');
    await toggleView(page, 'Side by side');
    await expect.poll(() => lineAbove(page, 'Why twenty?')).toContain('line twenty of');
    await toggleView(page, 'Side by side');

    // Lines above it come: it moves with its own.
    on.write('followed.txt', `first\nsecond\n${on.read('followed.txt')}`);
    await page.getByRole('button', { name: 'Line 22, after', exact: true }).waitFor();
    await expect.poll(() => lineAbove(page, 'Why twenty?'), { timeout: 30_000 }).toContain('line twenty of');

    // In the turn that it is about, it is where it was.
    await showChanges(page, 'Turn 1');
    await expect.poll(() => lineAbove(page, 'Why twenty?'), { timeout: 30_000 }).toContain('line twenty of');
    await showChanges(page, 'Uncommitted');

    // Its lines go: it stands apart, with what they were.
    on.write('followed.txt', 'nothing of it is left\n');
    const thread = page.locator('.thread', { hasText: 'Why twenty?' });
    await thread.getByText('outdated').waitFor();
    await thread.locator('.thread-quote', { hasText: 'line twenty of the file' }).waitFor();
    on.commit();
  });

  inBrowser('is made on a range and on lines that are gone', async (on) => {
    on.write('range.txt', 'a\nb\nc\nd\ne\n');
    on.commit();
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/write range.txt a\\nB\\nC\\nd\\n');
    await page.getByRole('button', { name: 'Review changes' }).waitFor();
    await review(page, 'Uncommitted');
    await page.getByRole('button', { name: 'Line 2, after', exact: true }).click();
    await page.getByRole('button', { name: 'Line 3, after', exact: true }).click({ modifiers: ['Shift'] });
    await page.locator('.hunk-head').getByText('lines 2 to 3').waitFor();
    await page.keyboard.press('c');
    await page.getByPlaceholder('Comment on lines 2 to 3').fill('Both of them');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => lineAbove(page, 'Both of them')).toMatch(/3\s+\+\s*C/);
    await commentOn(page, 5, 'Where did e go?', 'before');
    await expect.poll(() => lineAbove(page, 'Where did e go?')).toMatch(/5\s+−\s*e/);
    on.commit();
  });

  inBrowser('is begun by a slow double click, for which the line stays where it is', async (on) => {
    on.write('slow.txt', 'a\nb\n');
    on.commit();
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/write slow.txt A\\nB\\n\n/write slower.txt c\\n');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await toggleView(page, 'Side by side'); // beside the conversation there is little room for what the first click adds
    const line = page.getByRole('button', { name: 'Line 1, after', exact: true }).first();
    await line.hover();
    const place = await line.boundingBox();
    const [x, y] = [(place?.x ?? 0) + 10, (place?.y ?? 0) + 3];
    await page.mouse.click(x, y);
    await page.locator('.hunk-head[data-chosen]').getByText('lines 1 to 2').waitFor();
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(await line.boundingBox()).toEqual(place);
    await page.mouse.click(x, y, { clickCount: 2 });
    await page.getByLabel('Comment', { exact: true }).waitFor();
    on.commit();
  });

  inBrowser('is edited, answered, settled, opened again and deleted, and everybody sees it', async (on) => {
    const { page: first } = await on.page();
    await newSession(first);
    await say(first, '/title Threads\n/auto on\n/write threads.txt one\\ntwo\\nthree\\n\n/write other.txt x\\n');
    await first.getByRole('button', { name: 'Review changes' }).click();
    await first
      .getByRole('navigation', { name: 'Changed files' })
      .getByRole('button', { name: /threads/ })
      .click();
    await first.getByRole('button', { name: 'Line 2, after' }).first().waitFor();
    const head = first.locator('.review .virtual .file-head', { hasText: 'threads.txt' });
    const body = first.locator('.diff-line', { hasText: 'two' });
    await body.getByRole('button', { name: 'Line 2, after' }).dblclick();
    await first.getByLabel('Comment', { exact: true }).fill('Frist');
    await first.keyboard.press('Control+Enter');
    await head.getByText('1 comment').waitFor();

    const { page: second } = await on.page();
    const row = second.locator('.session-row', { hasText: 'Threads' });
    await row.getByText('1 comment').waitFor();
    await row.click();
    await second.getByRole('button', { name: 'Review changes' }).click();
    const entry = second.locator('.thread-entry', { hasText: 'Frist' });
    await entry.hover();
    await entry.getByRole('button', { name: 'Edit the comment' }).click();
    await second.getByLabel('Edit the comment').fill('First');
    await second.getByRole('button', { name: 'Save' }).click();
    await first.locator('.thread-entry', { hasText: 'First' }).waitFor();
    await first.getByLabel('Reply').fill('And an answer');
    await first.keyboard.press('Enter');
    const answer = second.locator('.thread-entry', { hasText: 'And an answer' });
    await answer.hover();
    await answer.getByRole('button', { name: 'Delete the comment' }).click();
    await first.locator('.thread-entry', { hasText: 'And an answer' }).waitFor({ state: 'detached' });

    await second.getByRole('button', { name: 'Resolve' }).click();
    await first.getByRole('button', { name: '1 comment, resolved' }).waitFor();
    await head.getByText('1 comment').waitFor({ state: 'detached' });
    await first.getByRole('button', { name: 'Reopen' }).click();
    await second.locator('.thread-entry', { hasText: 'First' }).waitFor();
    await second.locator('.thread').getByRole('button', { name: 'Delete', exact: true }).click();
    await second
      .getByRole('alertdialog', { name: 'Delete the comments' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await first.locator('.thread').waitFor({ state: 'detached' });
  });

  inBrowser('is sent with those that were chosen, and the agent gets what they say', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/write chosen.txt one\\ntwo\\nthree\\n');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await commentOn(page, 1, 'Take this one');
    await commentOn(page, 2, 'Leave this one');
    await commentOn(page, 3, 'And this one');
    await page.getByRole('button', { name: '3 comments', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Comments' });
    await dialog.getByLabel('Send the comment on chosen.txt, line 2').uncheck();
    await dialog.getByLabel('Message').fill('Only two of them.');
    await dialog.getByRole('button', { name: 'Send 2 comments to the agent' }).click();
    const said = page.locator('.turn', { hasText: 'Only two of them.' });
    await said.locator('.chip', { hasText: '2 review comments' }).waitFor();
    await said.locator('.answer', { hasText: 'And this one' }).waitFor();
    const answer = await said.locator('.answer').innerText();
    expect(answer).toContain('Take this one');
    expect(answer).not.toContain('Leave this one');
    // The review says which of them the agent has.
    await expect
      .poll(() => page.locator('.thread', { hasText: 'Sent to the agent' }).locator('.entry-text').allInnerTexts())
      .toEqual(['Take this one', 'And this one']);
    await page.locator('.thread', { hasText: 'Leave' }).getByRole('button', { name: 'Send to the agent' }).waitFor();
  });

  inBrowser('says who wrote it and when, and is markdown', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/title Bylines\n/auto on\n/write byline.txt one\\n');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Line 1, after', exact: true }).last().dblclick();
    await page.getByLabel('Comment', { exact: true }).fill('Call it `second`, **please**');
    await page.keyboard.press('Control+Enter');
    const entry = page.locator('.thread-entry');
    await entry.locator('code', { hasText: 'second' }).waitFor();
    await entry.locator('strong', { hasText: 'please' }).waitFor();
    expect(await entry.locator('.entry-byline').innerText()).toMatch(/^You\s+just now$/);
    const { page: second } = await on.page();
    await second.locator('.session-row', { hasText: 'Bylines' }).click();
    await second.getByRole('button', { name: 'Review changes' }).click();
    await second.locator('.entry-byline', { hasText: 'Web page' }).waitFor();
    await second.locator('.thread-entry').hover();
    await second.getByRole('button', { name: 'Edit the comment' }).click();
    const field = second.getByRole('textbox', { name: 'Edit the comment' });
    expect(await field.inputValue()).toBe('Call it `second`, **please**');
    await field.fill('Call it third');
    await field.press('Control+Enter');
    await entry.getByText('Call it third').waitFor();
    // Whoever corrects it is not its author.
    expect(await entry.locator('.entry-byline').innerText()).toMatch(/^You\s/);
    await second.locator('.entry-byline', { hasText: 'Web page' }).waitFor();
  });

  inBrowser(
    'that is half written survives scrolling away, a lost connection, a reload and a restart of the host',
    async (on) => {
      on.commit();
      on.write('long.txt', `${Array.from({ length: 400 }, (_, index) => `row ${index + 1}`).join('\n')}\n`);
      const { page } = await on.page();
      await newSession(page);
      await review(page, 'Uncommitted');
      await page.getByRole('button', { name: 'Line 3, after', exact: true }).dblclick();
      const box = page.getByLabel('Comment', { exact: true });
      await box.fill('Half of a thou');
      const scroll = page.locator('.diff-scroll');
      await scroll.evaluate((element) => element.scrollTo(0, 6000));
      await box.waitFor({ state: 'detached' });
      await scroll.evaluate((element) => element.scrollTo(0, 0));
      await expect.poll(() => box.inputValue()).toBe('Half of a thou');

      const { port } = on;
      await on.host.kill();
      await page.getByText('Reconnecting').waitFor();
      await box.fill('Half of a thought');
      await on.startHost(port);
      await page.getByText('Reconnecting').waitFor({ state: 'detached' });
      expect(await box.inputValue()).toBe('Half of a thought');
      await page.reload();
      await expect.poll(() => box.inputValue(), { timeout: 30_000 }).toBe('Half of a thought');
      await box.press('Control+Enter');
      await page.locator('.thread-entry', { hasText: 'Half of a thought' }).waitFor();
      await composer(page).waitFor();
      await page.reload();
      await page.locator('.thread-entry', { hasText: 'Half of a thought' }).waitFor();
      expect(await box.count()).toBe(0);
    },
    120_000,
  );

  inBrowser('is text, whatever it says', async (on) => {
    const { page, complaints } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/write hostile.txt one\\n');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Line 1, after', exact: true }).last().dblclick();
    const attack = '<img src=x onerror="window.hacked=1"> [x](javascript:window.hacked=2) \u202Edesrever';
    await page.getByLabel('Comment', { exact: true }).fill(attack);
    await page.keyboard.press('Control+Enter');
    await page.locator('.thread-entry', { hasText: '⟨U+202E⟩desrever' }).waitFor();
    await page.getByRole('button', { name: '1 comment', exact: true }).click();
    await page.getByRole('dialog', { name: 'Comments' }).getByText('⟨U+202E⟩desrever').waitFor();
    expect(await page.evaluate(() => (window as { hacked?: string }).hacked)).toBeUndefined();
    expect(await page.locator('.thread img, .thread a, .comments-dialog img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
