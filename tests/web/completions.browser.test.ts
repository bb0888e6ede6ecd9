import { describe, expect } from 'vitest';
import { composer, newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

describe('what is written to the agent', () => {
  inBrowser('is completed with the keyboard: files, with what they are attached as', async (on) => {
    on.write('src/engine.ts', 'export function start(): void {}\n');
    on.write('docs/engine.md', '# Engine\n');
    const { page, complaints } = await on.page();
    await newSession(page);
    const box = composer(page);
    const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
    await box.pressSequentially('Look at @engin and say');
    // Only at the word before the cursor.
    expect(await options.count()).toBe(0);
    await box.fill('');
    await box.pressSequentially('Look at @engin');
    await expect.poll(() => options.count(), { timeout: 30_000 }).toBe(2);
    await expect.poll(() => page.locator('.composer [role=status]').innerText()).toContain('2 suggestions');
    const active = async () => {
      const id = await box.getAttribute('aria-activedescendant');
      const option = page.locator(`[id="${id}"]`);
      expect(await option.getAttribute('aria-selected')).toBe('true');
      return option.innerText();
    };
    const names = [await active()];
    await box.press('ArrowDown');
    names.push(await active());
    expect(names.sort()).toEqual([
      expect.stringMatching(/engine\.md\s+docs/),
      expect.stringMatching(/engine\.ts\s+src/),
    ]);
    await box.press('ArrowUp');
    await box.press('ArrowUp');
    await box.press('Escape');
    await options.first().waitFor({ state: 'detached' });
    expect(await box.inputValue()).toBe('Look at @engin');
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);

    await box.pressSequentially('e.ts');
    await options.first().waitFor();
    await box.press('Enter');
    expect(await box.inputValue()).toBe('Look at @src/engine.ts ');
    const chip = page.locator('.composer .chip', { hasText: 'engine.ts' });
    await chip.waitFor();
    // It was named in the text: both survive a reload, and both go together.
    await page.reload();
    await chip.waitFor();
    await box.press('End');
    await box.press('Backspace');
    await box.press('Backspace');
    await chip.waitFor({ state: 'detached' });
    await box.pressSequentially('s');
    await options.first().waitFor();
    await box.press('Tab');
    await chip.waitFor();
    await box.press('Enter');
    const sent = page.locator('.user-message', { hasText: 'Look at @src/engine.ts' });
    await sent.locator('.chip', { hasText: 'engine.ts' }).waitFor();
    await chip.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  inBrowser('is completed in the middle of a text, and the cursor stays there', async (on) => {
    on.write('middle.txt', 'x\n');
    const { page } = await on.page();
    await newSession(page);
    const box = composer(page);
    await box.fill('Read  and stop');
    await box.evaluate((element) => (element as HTMLTextAreaElement).setSelectionRange(5, 5));
    await box.pressSequentially('@middl');
    await page.getByRole('option', { name: /middle\.txt/ }).waitFor();
    await box.press('Tab');
    await box.pressSequentially('!');
    expect(await box.inputValue()).toBe('Read @middle.txt! and stop');
  });

  inBrowser('has the commands of the agent, what files declare, and comments', async (on) => {
    on.commit();
    const { page } = await on.page();
    await newSession(page);
    const box = composer(page);
    await box.pressSequentially('/wri');
    const command = page.getByRole('option', { name: /\/write/ });
    await command.waitFor();
    expect(await command.innerText()).not.toMatch(/^\/write\s*$/);
    await box.press('Enter');
    expect(await box.inputValue()).toBe('/write ');
    expect(await page.locator('.composer .chip').count()).toBe(0);
    await say(page, '/auto on\n/write shapes.ts export function drawCircle() {}\\n');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Line 1, after', exact: true }).dblclick();
    await page.getByLabel('Comment', { exact: true }).fill('Only circles?');
    await page.keyboard.press('Control+Enter');
    await page.locator('.thread-entry', { hasText: 'Only circles?' }).waitFor();

    await box.pressSequentially('See #drawC');
    await page.getByRole('option', { name: /drawCircle/ }).waitFor({ timeout: 30_000 });
    await box.press('Enter');
    await page.locator('.composer .chip', { hasText: 'drawCircle' }).waitFor();
    await box.pressSequentially('and #comm');
    await page
      .getByRole('option', { name: /comments/ })
      .first()
      .waitFor();
    await box.press('Enter');
    await box.press('Enter');
    const turn = page.locator('.turn', { hasText: 'See #drawCircle and' });
    await turn.locator('.answer', { hasText: 'Only circles?' }).waitFor();
    expect(await turn.locator('.user-message .chip').count()).toBe(2);
  });

  inBrowser('is sent by Enter when all of a command stands there', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await composer(page).pressSequentially('/fail');
    await page.getByRole('option', { name: /\/fail/ }).waitFor();
    await composer(page).press('Enter');
    await page.locator('.user-message', { hasText: '/fail' }).waitFor();
    expect(await composer(page).inputValue()).toBe('');
  });

  inBrowser('is completed on a phone with a tap, with names that are text', async (on) => {
    on.write('<img src=x onerror=window.hacked=1>\u202E.txt', 'x\n');
    const { page, complaints } = await on.page(on.host.web, { width: 390, height: 780 });
    await newSession(page);
    await composer(page).pressSequentially('@onerr');
    const option = page.getByRole('option', { name: /onerror/ });
    await option.waitFor();
    expect(await option.innerText()).toContain('⟨U+202E⟩');
    const place = await option.boundingBox();
    expect(place && place.x >= 0 && place.x + place.width <= 390 && place.y >= 0).toBe(true);
    await option.click();
    await page.locator('.composer .chip', { hasText: 'onerror' }).waitFor();
    expect(await page.locator('.composer img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
