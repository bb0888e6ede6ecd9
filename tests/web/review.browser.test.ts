import { describe, expect } from 'vitest';
import {
  chooseForAll,
  failReads,
  holdReads,
  newSession,
  say,
  showChanges,
  toggleView,
  withBrowser,
} from '../support/web.js';

const inBrowser = withBrowser();

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1} of the file`);

describe('a review', () => {
  inBrowser('shows what a turn changed, line by line and word by word', async (on) => {
    on.write('src/long.txt', `${LINES.join('\n')}\n`);
    on.commit();
    const { page, complaints } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/replace src/long.txt line 30 of => line thirty of\n/write src/added.txt one\\ntwo\\n');
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = page.getByRole('region', { name: 'Review' });
    await review.locator('.diff-line.added', { hasText: 'line thirty of the file' }).waitFor();
    expect(await review.locator('.diff-line.removed').allInnerTexts()).toEqual([
      expect.stringContaining('line 30 of the file'),
    ]);
    expect(await review.locator('.removed mark').allInnerTexts()).toEqual(['30']);
    expect(await review.locator('.added mark').allInnerTexts()).toEqual(['thirty']);
    expect(await review.locator('.diff-line.added').allInnerTexts()).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining('two'),
      expect.stringContaining('line thirty'),
    ]);
    // Three lines around the change, the others are folded until asked for.
    expect(await review.locator('.diff-line', { hasText: 'line 26 of' }).count()).toBe(0);
    await review.getByRole('button', { name: '26 lines' }).click();
    await review.locator('.diff-line', { hasText: 'line 26 of' }).waitFor();

    await toggleView(page, 'Side by side');
    const pair = review.locator('.diff-pair', { hasText: 'line thirty' });
    expect(await pair.locator('.diff-line').allInnerTexts()).toEqual([
      expect.stringContaining('line 30 of the file'),
      expect.stringContaining('line thirty of the file'),
    ]);
    expect(complaints).toEqual([]);
  });

  inBrowser('shows the history of the folder, undoes and redoes a step, and opens what was removed', async (on) => {
    on.write('kept.txt', 'as committed\n');
    on.commit();
    const { page, complaints } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/write kept.txt by the agent\\n\n/write other.txt other\\n');
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = page.getByRole('region', { name: 'Review' });
    await chooseForAll(page, 'Revert');
    await review.getByRole('alertdialog').getByRole('button', { name: 'Revert' }).click();
    await expect.poll(() => on.read('kept.txt')).toBe('as committed\n');
    await chooseForAll(page, 'History');
    const dialog = page.getByRole('dialog', { name: 'History' });
    const step = dialog.getByRole('listitem', { name: 'the revert of 2 files', exact: true });
    await step.getByRole('button', { name: 'Open what was removed' }).first().click();
    await page.getByRole('dialog', { name: 'kept.txt, before' }).getByText('by the agent').waitFor();
    await page.keyboard.press('Escape');
    const file = step.getByRole('listitem').filter({ hasText: 'kept.txt' });
    await file.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => on.read('kept.txt')).toBe('by the agent\n');
    await step.getByText('partly undone').waitFor();
    await step.getByRole('button', { name: 'Redo' }).first().click();
    await expect.poll(() => on.read('kept.txt')).toBe('as committed\n');
    expect(complaints).toEqual([]);
  });

  inBrowser('says who wrote each line, and shows only what a turn changed', async (on) => {
    on.write('src/two.txt', `${LINES.slice(0, 9).join('\n')}\n`);
    on.commit();
    const { page, complaints } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/replace src/two.txt line 2 of => line two of');
    await page.locator('.turn-foot').nth(0).waitFor();
    on.write('src/two.txt', on.read('src/two.txt').replace('line 5 of', 'line five of'));
    await say(page, 'again\n/replace src/two.txt line 8 of => line eight of');
    await page.locator('.turn-foot').nth(1).waitFor();
    await page.getByRole('button', { name: 'Review changes' }).first().click();
    const review = page.getByRole('region', { name: 'Review' });
    await showChanges(page, 'Session');
    await review.locator('.diff-line.added', { hasText: 'line eight' }).waitFor();
    await toggleView(page, 'Blame');
    const label = (line: string) => review.locator('.diff-line', { hasText: line }).locator('.blame');
    await label('line two of').filter({ hasText: '/auto on' }).waitFor();
    await label('line five of').filter({ hasText: 'User' }).waitFor();
    await label('line 8 of').filter({ hasText: 'again' }).waitFor();
    expect(await label('line 1 of').innerText()).toBe('');
    await label('line eight of').click();
    await review.locator('.diff-line.added', { hasText: 'line two' }).waitFor({ state: 'detached' });
    await expect
      .poll(() => review.locator('.diff-line.added').allInnerTexts())
      .toEqual([expect.stringContaining('eight')]);
    await toggleView(page, 'Blame');
    await review.locator('.blame').first().waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  inBrowser('keeps what was viewed, for everybody: folded, counted, by file and by hunk', async (on) => {
    on.write('src/a.txt', `${LINES.join('\n')}\n`);
    on.commit();
    const { page, complaints } = await on.page();
    await newSession(page);
    await say(
      page,
      '/title Viewed\n/auto on\n/replace src/a.txt line 5 of => FIVE of\n/replace src/a.txt line 50 of => FIFTY of\n/write src/b.txt b\\n',
    );
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = page.getByRole('region', { name: 'Review' });
    await review.getByText('0 of 2 viewed').waitFor();
    expect(await review.locator('.file-head [data-operation="keep"], .hunk-head [data-operation="keep"]').count()).toBe(
      0,
    );
    const file = (name: string) => review.locator('.virtual-row .file-head', { hasText: name });
    const hunk = review.locator('.hunk-head', { has: page.getByRole('checkbox') });
    await hunk.nth(0).getByRole('checkbox').click();
    await hunk.nth(0).getByRole('checkbox', { checked: true }).waitFor();
    await review.getByText('0 of 2 viewed').waitFor();
    await hunk.nth(1).getByRole('checkbox').click();
    await review.getByText('1 of 2 viewed').waitFor();
    await hunk.nth(1).getByRole('checkbox').click();
    await review.getByText('0 of 2 viewed').waitFor();
    expect(await hunk.nth(0).getByRole('checkbox').isChecked()).toBe(true);
    await file('a.txt').getByRole('checkbox').click();
    await review.getByText('1 of 2 viewed').waitFor();
    await review.locator('.diff-line.added', { hasText: 'FIVE' }).waitFor({ state: 'detached' });

    const { page: second } = await on.page();
    await second.locator('.session-row', { hasText: 'Viewed' }).click();
    await second.getByRole('button', { name: 'Review changes' }).click();
    const other = second.getByRole('region', { name: 'Review' });
    await other.getByText('1 of 2 viewed').waitFor();
    expect(await other.locator('.diff-line', { hasText: 'FIVE' }).count()).toBe(0);
    await say(page, '/replace src/a.txt line 30 of => THIRTY of');
    await showChanges(second, 'Session');
    await other.locator('.diff-line.added', { hasText: 'THIRTY' }).waitFor();
    await other.getByText('0 of 2 viewed').waitFor();
    const hunks = other.locator('.hunk-head').getByRole('checkbox');
    expect(await Promise.all([0, 1, 2].map((at) => hunks.nth(at).isChecked()))).toEqual([true, false, true]);
    await other.locator('.virtual-row .file-head', { hasText: 'a.txt' }).getByRole('checkbox').click();
    await other.getByText('1 of 2 viewed').waitFor();
    await say(page, '/replace src/a.txt line 10 of => TEN of');
    await other.locator('.tag', { hasText: 'changed since you viewed it' }).first().waitFor();
    await other.getByText('0 of 2 viewed').waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('takes comments on lines, which everybody sees', async (on) => {
    const { page: first } = await on.page();
    await newSession(first);
    await say(first, '/title Commented\n/auto on\n/write commented.txt one\\ntwo\\nthree\\n');
    await first.getByRole('button', { name: 'Review changes' }).click();
    await first.getByRole('button', { name: 'Line 2, after' }).dblclick();
    await first.getByLabel('Comment', { exact: true }).fill('Why two?');
    await first.keyboard.press('Control+Enter');
    await first.locator('.thread-entry', { hasText: 'Why two?' }).waitFor();

    const { page: second } = await on.page();
    await second.locator('.session-row', { hasText: 'Commented' }).click();
    await second.getByRole('button', { name: 'Review changes' }).click();
    await second.locator('.thread-entry', { hasText: 'Why two?' }).waitFor();
    await second.getByLabel('Reply').fill('Because.');
    await second.keyboard.press('Enter');
    await first.locator('.thread-entry', { hasText: 'Because.' }).waitFor();
    await second.getByRole('button', { name: 'Send to the agent' }).click();
    await first.locator('.user-message', { hasText: '1 review comment' }).waitFor();
    // The demo agent says back what it was given.
    await first.locator('.answer', { hasText: 'commented.txt' }).last().waitFor();
    await first.locator('.answer', { hasText: 'Why two?' }).last().waitFor();
  });

  inBrowser('takes back one hunk, and brings it back again', async (on) => {
    on.write('src/hunks.txt', `${LINES.join('\n')}\n`);
    on.commit();
    const { page } = await on.page();
    await newSession(page);
    await say(
      page,
      '/auto on\n/replace src/hunks.txt line 5 of => FIVE of\n/replace src/hunks.txt line 50 of => FIFTY of',
    );
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = page.getByRole('region', { name: 'Review' });
    await review.locator('.diff-line.added', { hasText: 'FIFTY' }).waitFor();
    await review.locator('.hunk-head [data-operation="revert"]').nth(1).click();
    expect(on.read('src/hunks.txt')).toContain('FIFTY');
    await review.getByRole('alertdialog').getByRole('button', { name: 'Revert' }).click();
    await review.locator('.diff-line.added', { hasText: 'FIFTY' }).waitFor({ state: 'detached' });
    expect(on.read('src/hunks.txt')).toContain('line 50 of');
    expect(on.read('src/hunks.txt')).toContain('FIVE');
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await review.locator('.diff-line.added', { hasText: 'FIFTY' }).waitFor();
    expect(on.read('src/hunks.txt')).toContain('FIFTY');
  });

  inBrowser('says what goes with the lines that were chosen', async (on) => {
    on.write('widened.txt', `${LINES.join('\n')}\n`);
    on.commit();
    on.write('widened.txt', `${LINES.join('\n').replace(/line (10|11|12|15) of/g, 'LINE $1 of')}\n`);
    on.write('widened-new.txt', 'one\ntwo\nthree\n');
    const { page } = await on.page();
    await newSession(page);
    await page.getByRole('button', { name: /Changes/ }).click();
    await showChanges(page, 'Uncommitted');
    const review = page.getByRole('region', { name: 'Review' });
    const heads = review.locator('.hunk-head[data-chosen]');
    const marked = review.locator('.diff-line[data-touched]');
    const question = review.getByRole('alertdialog');

    await review.locator('.diff-line.added', { hasText: 'LINE 11' }).locator('button.line-number').click();
    await heads.getByText('line 11', { exact: true }).waitFor();
    await heads.getByText('lines 10 to 12', { exact: true }).waitFor();
    expect(await marked.count()).toBe(6); // three that went, three that came
    await page.keyboard.press('x');
    expect(await question.innerText()).toContain('Lines 10 to 12');
    await page.keyboard.press('Enter');
    await review.locator('.diff-line.added', { hasText: 'LINE 11' }).waitFor({ state: 'detached' });
    expect(on.read('widened.txt')).toBe(`${LINES.join('\n').replace('line 15 of', 'LINE 15 of')}\n`);

    // Where nothing was changed there is nothing to take back.
    const context = review.locator('.diff-line.same', { hasText: 'line 14 of' });
    await context.locator('button.line-number').last().click();
    await heads.getByRole('button', { name: 'Comment' }).waitFor();
    expect(await heads.locator('[data-operation]').count()).toBe(0);
    await page.keyboard.press('x');
    await page.locator('.toast', { hasText: 'Nothing was changed on line 14.' }).waitFor();

    await review.locator('.diff-line.added', { hasText: 'two' }).locator('button.line-number').click();
    await heads.getByText('the whole file', { exact: true }).waitFor();
    expect(await marked.count()).toBe(3);
    await heads.locator('[data-operation="revert"]').click();
    expect(await question.innerText()).toContain('The whole file');
    await page.keyboard.press('Escape');
    on.commit();
  });

  inBrowser('does not move what is being read when lines above it come and go', async (on) => {
    for (const name of ['a', 'b', 'c', 'd'])
      on.write(`live/${name}.txt`, `${LINES.map((line) => `${name}: ${line}`).join('\n')}\n`);
    const { page } = await on.page();
    await newSession(page);
    await page.getByRole('button', { name: /Changes/ }).click();
    await showChanges(page, 'Uncommitted');
    const box = page.locator('.diff-scroll');
    await page
      .getByRole('navigation', { name: 'Changed files' })
      .getByRole('button', { name: /b\.txt/ })
      .click();
    await page.locator('.review .diff-line', { hasText: 'b: line 1 of' }).waitFor();
    await box.evaluate((element) => element.scrollBy(0, 400));
    const place = () =>
      page.evaluate(() => {
        const lines = [...document.querySelectorAll('.review .diff-line')].filter(({ textContent }) =>
          textContent?.includes('b: line 30 of'),
        );
        return Math.round(lines[0]?.getBoundingClientRect().top ?? -1);
      });
    await expect.poll(place, { timeout: 30_000 }).toBeGreaterThan(0);
    const before = await place();
    on.write('live/b.txt', `${'new on top\n'.repeat(7)}${on.read('live/b.txt')}`);
    // The same line has another number when the new contents are there.
    const line = page.locator('.review .diff-line', { hasText: 'b: line 30 of' });
    await line.getByRole('button', { name: 'Line 37, after' }).waitFor();
    expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
  });
});

describe('keys of a review', () => {
  /** A file with two changes far apart, under review. */
  async function twoChanges(on: Parameters<Parameters<typeof inBrowser>[1]>[0], path: string) {
    on.write(path, `${LINES.join('\n')}\n`);
    on.commit();
    on.write(path, `${LINES.join('\n').replace('line 5 of', 'FIVE of').replace('line 50 of', 'FIFTY of')}\n`);
    const { page } = await on.page();
    await newSession(page);
    await page.getByRole('button', { name: /Changes/ }).click();
    await showChanges(page, 'Uncommitted');
    await page.locator('.review .diff-line.added', { hasText: 'FIFTY' }).waitFor();
    await page.locator('.diff-scroll').focus();
    return page;
  }

  inBrowser('take back the lines that were chosen, wherever the cursor is', async (on) => {
    const page = await twoChanges(on, 'keys/chosen.txt');
    await page.keyboard.press('j');
    await page.locator('[data-cursor]').waitFor();
    await page.getByRole('button', { name: 'Line 50, after' }).click();
    await page.keyboard.press('x');
    const question = page.locator('.review').getByRole('alertdialog');
    await question.waitFor();
    expect(await question.count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.locator('.review .diff-line.added', { hasText: 'FIFTY' }).waitFor({ state: 'detached' });
    expect(on.read('keys/chosen.txt')).toContain('line 50 of');
    expect(on.read('keys/chosen.txt')).toContain('FIVE');
    on.git('checkout', '--', '.');
  });

  inBrowser('are about the cursor again once it has moved on', async (on) => {
    const page = await twoChanges(on, 'keys/moved.txt');
    await page.getByRole('button', { name: 'Line 50, after' }).click();
    const chosen = page.locator('.line-number[data-chosen]');
    await chosen.waitFor();
    await page.keyboard.press('Escape');
    await chosen.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Line 50, after' }).click();
    await page.keyboard.press('j');
    await chosen.waitFor({ state: 'detached' });
    await page.keyboard.press('s');
    await page.locator('.toast').waitFor();
    const staged = on.git('diff', '--cached');
    expect(staged).toContain('FIVE');
    expect(staged).not.toContain('FIFTY');
    on.git('reset', '--quiet', '--hard');
  });

  inBrowser('forget lines that are other lines now', async (on) => {
    const page = await twoChanges(on, 'keys/edited.txt');
    await page.getByRole('button', { name: 'Line 50, after' }).click();
    await page.locator('.line-number[data-chosen]').waitFor();
    await page.keyboard.press('x');
    await page.locator('.review').getByRole('alertdialog').waitFor();
    on.write('keys/edited.txt', `one more\n${on.read('keys/edited.txt')}`);
    await page.locator('.review .diff-line.added', { hasText: 'one more' }).waitFor();
    expect(await page.locator('.line-number[data-chosen]').count()).toBe(0);
    expect(await page.locator('.review').getByRole('alertdialog').count()).toBe(0);
    on.git('checkout', '--', '.');
  });
});

describe('what a review shows', () => {
  inBrowser('leaves out whitespace when asked, and says when there is nothing else', async (on) => {
    on.write('spaces/both.txt', 'a b\nc\n');
    on.write('spaces/only.txt', 'a b\n');
    on.commit();
    on.write('spaces/both.txt', 'a    b\nC\n');
    on.write('spaces/only.txt', 'a    b\n');
    const { page } = await on.page();
    await newSession(page);
    await page.getByRole('button', { name: /Changes/ }).click();
    await showChanges(page, 'Uncommitted');
    const added = page.locator('.review .diff-line.added');
    await expect.poll(() => added.count(), { timeout: 30_000 }).toBe(3);
    await toggleView(page, 'Hide whitespace');
    await page.getByText('Only whitespace changed.').waitFor();
    expect(await added.allInnerTexts()).toEqual([expect.stringContaining('C')]);
    on.git('checkout', '--', '.');
  });

  inBrowser('has pictures side by side, and says of other files that they are binary', async (on) => {
    on.write('pictures/a.png', GREEN_PNG);
    on.commit();
    on.write('pictures/a.png', RED_PNG);
    on.write('pictures/b.bin', Buffer.from([0, 1, 2, 0, 255, 254]));
    const { page, complaints } = await on.page();
    await newSession(page);
    await page.getByRole('button', { name: /Changes/ }).click();
    await showChanges(page, 'Uncommitted');
    const figures = page.locator('.review figure');
    await figures.getByText('10 × 10').nth(1).waitFor();
    expect(await figures.allInnerTexts()).toEqual([
      expect.stringContaining('Before'),
      expect.stringContaining('After'),
    ]);
    await page.getByText('Binary file.').waitFor();
    expect(complaints).toEqual([]);
    on.commit();
  });

  inBrowser('is staged and committed from here', async (on) => {
    on.write('staged.txt', 'one\n');
    on.write('left.txt', 'two\n');
    const { page } = await on.page();
    await newSession(page);
    await page.getByRole('button', { name: /Changes/ }).click();
    await showChanges(page, 'Uncommitted');
    const head = page.locator('.review .virtual .file-head', { hasText: 'staged.txt' });
    await head.locator('[data-operation="stage"]').click();
    await page.locator('.toast').waitFor();
    expect(on.git('diff', '--cached', '--name-only')).toBe('staged.txt\n');
    const before = on.git('rev-parse', 'HEAD');
    await page.getByRole('button', { name: 'Commit…', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Commit' });
    await expect
      .poll(() => dialog.getByRole('listitem').allTextContents(), { timeout: 30_000 })
      .toEqual(['A staged.txt']);
    const button = dialog.getByRole('button', { name: 'Commit 1 file' });
    const message = dialog.getByLabel('Message');
    await expect.poll(() => message.inputValue(), { timeout: 30_000 }).not.toBe(''); // suggested
    await message.fill('');
    expect(await button.isDisabled()).toBe(true);
    await page.keyboard.type('Say one');
    expect(on.git('rev-parse', 'HEAD')).toBe(before);
    await button.click();
    await expect.poll(() => on.git('rev-parse', 'HEAD'), { timeout: 30_000 }).not.toBe(before);
    expect(on.git('show', '--name-only', '--format=%s')).toBe('Say one\n\nstaged.txt\n');
  });
});

const GREEN_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC',
  'base64',
);
const RED_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
  'base64',
);

describe('a review whose contents come late', () => {
  inBrowser('stays at the file that was chosen', async (on) => {
    on.commit();
    for (const name of ['a', 'b', 'c', 'd'])
      on.write(`late/${name}.txt`, `${LINES.map((line) => `${name}: ${line}`).join('\n')}\n`);
    const { page } = await on.page();
    const reads = await holdReads(page);
    await page.reload();
    await newSession(page);
    await page.getByRole('button', { name: /Changes/ }).click();
    await showChanges(page, 'Uncommitted');
    // Nothing of any file is there yet, so that all of them fit into the window and there is nothing to scroll.
    await page
      .getByRole('navigation', { name: 'Changed files' })
      .getByRole('button', { name: /b\.txt/ })
      .click();
    const top = async () => {
      const box = await page.locator('.diff-scroll').boundingBox();
      const line = await page.locator('.review .diff-line', { hasText: 'b: line 1 of' }).first().boundingBox();
      return line && box ? Math.round(line.y - box.y) : undefined;
    };
    reads.release(/b: line 1 of/);
    await page.locator('.review .diff-line', { hasText: 'b: line 1 of' }).waitFor();
    reads.release(/./);
    // The one above is there when its last lines are, just out of sight.
    await page.locator('.review .diff-line', { hasText: 'a: line 60 of' }).waitFor({ state: 'attached' });
    await expect.poll(top, { timeout: 30_000 }).toBeLessThan(100);
    expect(await top()).toBeGreaterThanOrEqual(0);
  });
});

describe('a review whose contents cannot be read', () => {
  inBrowser('reads them when asked to, and by itself when the host is there again', async (on) => {
    on.write('unread/before.txt', 'as it was\n');
    on.commit();
    on.write('unread/a.txt', 'read at last\n');
    const { page } = await on.page();
    const reads = await failReads(page);
    await page.reload();
    await newSession(page);
    await page.getByRole('button', { name: /Changes/ }).click();
    await showChanges(page, 'Uncommitted');
    await page.getByText('The disk is busy.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The disk is busy.').waitFor();
    reads.failing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.review .diff-line.added', { hasText: 'read at last' }).waitFor();

    reads.failing = true;
    on.write('unread/b.txt', 'this one too\n');
    await page.getByText('The disk is busy.').waitFor();
    reads.failing = false;
    await reads.cut();
    await page.locator('.review .diff-line.added', { hasText: 'this one too' }).waitFor();
    on.commit();
  });
});

describe('a file that changes while it is read', () => {
  inBrowser('says so until the reader has gone on', async (on) => {
    const text = (name: string) => `${LINES.map((line) => `${name}: ${line}`).join('\n')}\n`;
    for (const name of ['a', 'b', 'c']) on.write(`changing/${name}.txt`, text(name));
    const { page } = await on.page();
    await newSession(page);
    await page.getByRole('button', { name: /Changes/ }).click();
    await showChanges(page, 'Uncommitted');
    await page.locator('.review .diff-line', { hasText: 'a: line 1 of' }).waitFor();
    const tags = page.locator('.virtual .file-head .tag.changed');
    expect(await tags.count()).toBe(0);
    on.write('changing/a.txt', `on top\n${text('a')}`);
    await page.locator('.review .diff-line', { hasText: 'on top' }).waitFor();
    await page.locator('.virtual .file-head', { hasText: 'a.txt' }).locator('.tag.changed').waitFor();
    const files = page.getByRole('navigation', { name: 'Changed files' });
    await files.getByRole('button', { name: /c\.txt/ }).click();
    await page.locator('.review .diff-line', { hasText: 'c: line 1 of' }).waitFor();
    await files.getByRole('button', { name: /a\.txt/ }).click();
    await page.locator('.review .diff-line', { hasText: 'on top' }).waitFor();
    expect(await tags.count()).toBe(0);
    on.commit();
  });
});

describe('what agents and files say', () => {
  inBrowser('never becomes anything but text', async (on) => {
    const { page, complaints } = await on.page();
    await newSession(page);
    const attack = '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script>';
    const markdown =
      '[run](javascript:window.hacked=3) ![pic](https://evil.example/x.png) [data](data:text/html,<script>1</script>)';
    const name = '<img src=x onerror=window.hacked=4>.html';
    await say(
      page,
      [
        '/auto on',
        `/title ${attack}`,
        `/say ${attack} ${markdown}`,
        `/think ${attack}`,
        `/write ${name.replaceAll(' ', '_')} ${attack}`,
        `/say <svg onload="window.hacked=5"></svg><iframe srcdoc="<script>parent.hacked=6</script>"></iframe>`,
        `/write hidden.ts if (admin\u202E) // \u2066check`,
        `/say End of it`,
      ].join('\n'),
    );
    await page.locator('.markdown', { hasText: 'End of it' }).waitFor();
    await page.getByRole('button', { name: /Thought/ }).click();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.locator('.review .diff-line.added', { hasText: 'onerror="window.hacked=1"' }).waitFor();

    // What would turn the line around is shown instead.
    await page.locator('.review .diff-line.added', { hasText: 'if (admin⟨U+202E⟩) // ⟨U+2066⟩check' }).waitFor();
    expect(await page.evaluate(() => (window as { hacked?: string }).hacked)).toBeUndefined();
    expect(await page.locator('#app img, #app script, #app iframe, #app [onerror], #app [onload]').count()).toBe(0);
    const links = await page.locator('.markdown a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    expect(links.filter((href) => !/^(?:https?|mailto):/.test(href ?? ''))).toEqual([]);
    // Not even tried, so that the page's policy had nothing to stop.
    expect(complaints).toEqual([]);
  });
});
