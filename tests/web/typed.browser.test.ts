import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { composer, newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

const messages = (page: Page) => page.locator('.user-message .user-text').allInnerTexts();

/** A key that the input method has, not the field. */
const composed = (element: Element, key: string) =>
  element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, isComposing: true }));

/** Drops the connection instead of sending the next action of this type. */
async function dropNext(page: Page, type: string): Promise<void> {
  let armed = true;
  await page.routeWebSocket(/.*/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      if (!armed || JSON.parse(String(text)).params?.action?.type !== type) return server.send(text);
      armed = false;
      void server.close();
      void socket.close();
    });
  });
  await page.reload();
}

describe('a message that is sent while the host is away', () => {
  inBrowser('goes out when it is back, also from a chat that was left', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/title The other one');
    await page.getByRole('heading', { name: 'The other one' }).waitFor();
    await newSession(page);
    await say(page, '/title The one left');
    await page.getByRole('heading', { name: 'The one left' }).waitFor();
    const { port } = on;
    await on.host.kill();
    await page.getByText('Reconnecting').waitFor();
    await say(page, '/say written in the dark');
    await page.getByRole('button', { name: /The other one/ }).click();
    await page.getByRole('heading', { name: 'The one left' }).waitFor({ state: 'detached' });
    await on.startHost(port);
    await page.getByText('Reconnecting').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /The one left/ }).click();
    await page.locator('.markdown', { hasText: 'written in the dark' }).waitFor();
    expect(await messages(page)).toEqual(['/title The one left', '/say written in the dark']);
    expect(await composer(page).inputValue()).toBe('');
  });

  inBrowser('is in the field again after a reload, and only if it was not sent', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/say sent');
    await page.locator('.markdown', { hasText: 'sent' }).waitFor();
    const { port } = on;
    const place = page.url();
    await on.host.kill();
    await page.getByText('Reconnecting').waitFor();
    await say(page, '/say written in the dark');
    await say(page, 'and this');
    await page.goto('about:blank');
    await on.startHost(port);
    await page.goto(place);
    await expect
      .poll(() => composer(page).inputValue(), { timeout: 30_000 })
      .toBe('/say written in the dark\n\nand this');
    expect(await messages(page)).toEqual(['/say sent']);
    await composer(page).press('Enter');
    await page.locator('.markdown', { hasText: 'written in the dark' }).waitFor();
    await page.reload();
    await page.locator('.markdown', { hasText: 'written in the dark' }).waitFor();
    expect(await composer(page).inputValue()).toBe('');
  });
});

describe('a message that got lost on the way', () => {
  inBrowser('is in the field again, with what was written since', async (on) => {
    const { page } = await on.page();
    await dropNext(page, 'chat/turnStarted');
    await newSession(page);
    await say(page, '/say lost');
    await composer(page).fill('and more');
    await expect.poll(() => composer(page).inputValue(), { timeout: 30_000 }).toBe('/say lost\n\nand more');
    await page.locator('.toast', { hasText: 'connection dropped' }).waitFor();
  });

  inBrowser('is in the field when it was an earlier one, told differently', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/say one');
    await page.locator('.markdown', { hasText: 'one' }).waitFor();
    await dropNext(page, 'chat/turnStarted');
    await page.locator('.markdown', { hasText: 'one' }).waitFor();
    await page.locator('.user-message').hover();
    await page.getByRole('button', { name: 'Edit and send' }).click();
    await page.getByLabel('Edit the message').fill('/say other');
    await page.getByRole('button', { name: 'Send again', exact: true }).click();
    await expect.poll(() => composer(page).inputValue(), { timeout: 30_000 }).toBe('/say other');
  });
});

describe('what is typed', () => {
  inBrowser('stays where the browser has no room to keep it', async (on) => {
    const { page, complaints } = await on.page();
    await newSession(page);
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await composer(page).fill('a very long text');
    expect(await composer(page).inputValue()).toBe('a very long text');
    await composer(page).fill('/say a very long text');
    await composer(page).press('Enter');
    await page.locator('.markdown', { hasText: 'a very long text' }).waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('is not sent by the Enter that ends a composition', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await page.locator('.title-button').click();
    const title = page.getByLabel('Title of the session');
    await title.fill('にほん');
    await title.evaluate(composed, 'Enter');
    await title.evaluate(composed, 'Escape');
    expect(await title.inputValue()).toBe('にほん');
    await title.press('Enter');
    await page.getByRole('heading', { name: 'にほん' }).waitFor();

    await say(page, '/write composed.txt text');
    await page.getByRole('button', { name: 'Deny with a reason' }).click();
    const reason = page.getByLabel('Reason for denying');
    await reason.fill('だめ');
    await reason.evaluate(composed, 'Enter');
    await reason.evaluate(composed, 'Escape');
    expect(await reason.inputValue()).toBe('だめ');
  });
});

describe('a message that steers', () => {
  inBrowser('stays in the conversation once the agent has taken it, also after a reload', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/ask Go on? | yes\n/say the end');
    await page.getByRole('form', { name: 'Question from the agent' }).waitFor();
    await composer(page).fill('/say taken');
    await composer(page).press('Control+Enter');
    await page.locator('.pending-row', { hasText: 'Steering' }).waitFor();
    await page.getByRole('form', { name: 'Question from the agent' }).getByText('yes').click();
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.locator('.markdown', { hasText: 'the end' }).waitFor();
    for (const _load of ['first', 'again']) {
      await expect.poll(() => messages(page)).toEqual(['/ask Go on? | yes\n/say the end', '/say taken']);
      await page.reload();
    }
    expect(await composer(page).inputValue()).toBe('');
  });
});

describe('a second message that steers', () => {
  inBrowser('joins the first', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/wait 60000');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    const steering = page.locator('.pending-row', { hasText: 'Steering' });
    for (const text of ['/say first', '/say second']) {
      await composer(page).fill(text);
      await composer(page).press('Control+Enter');
      await steering.filter({ hasText: text }).waitFor();
    }
    expect(await steering.count()).toBe(1);
    expect(await steering.innerText()).toMatch(/\/say first\s+\/say second/);
  });
});

describe('files that are attached', () => {
  inBrowser('are bounded in all, and the one that is too much is named', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    const drop = (names: readonly string[]) =>
      page.locator('.composer').evaluate((form, all) => {
        const dataTransfer = new DataTransfer();
        for (const name of all) dataTransfer.items.add(new File([new Uint8Array(4 * 1024 * 1024)], name));
        form.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }));
      }, names);
    await drop(['one.bin', 'two.bin']);
    const chips = page.locator('.composer .chips');
    await chips.getByText('two.bin').waitFor();
    await drop(['three.bin']);
    await page.locator('.toast', { hasText: 'three.bin' }).waitFor();
    expect(await chips.getByText('three.bin').count()).toBe(0);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.user-message', { hasText: 'two.bin' }).waitFor();
    await expect.poll(() => page.getByText('Reconnecting').count(), { timeout: 30_000 }).toBe(0);
  });

  inBrowser('show their picture, also a large one that the host keeps beside the chat', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await page.locator('.composer').evaluate(async (form) => {
      const canvas = new OffscreenCanvas(300, 300);
      const noise = new ImageData(300, 300);
      for (let at = 0; at < noise.data.length; at += 65_536)
        crypto.getRandomValues(noise.data.subarray(at, at + 65_536));
      canvas.getContext('2d')?.putImageData(noise, 0, 0);
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([await canvas.convertToBlob()], 'noise.png', { type: 'image/png' }));
      form.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }));
    });
    await page.locator('.composer .chips').getByText('noise.png').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const sent = page.locator('.user-message', { hasText: 'noise.png' }).locator('img');
    await sent.waitFor();
    await page.reload();
    await sent.waitFor();
    await expect.poll(() => sent.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(300);
  });
});

describe('a draft', () => {
  inBrowser('is there on other pages, as long as nobody writes there', async (on) => {
    const { page: first } = await on.page();
    await newSession(first);
    await say(first, '/title Shared words');
    await first.getByRole('heading', { name: 'Shared words' }).waitFor();
    const { page: second } = await on.page();
    await second.getByRole('button', { name: /Shared words/ }).click();
    await second.locator('.turn-foot').waitFor();
    await second.locator('.chat-scroll').focus();
    await composer(first).fill('/say from the first page');
    await expect.poll(() => composer(second).inputValue()).toBe('/say from the first page');
    await composer(second).fill('/say from the second');
    await expect.poll(() => composer(second).inputValue()).toBe('/say from the second');
    await composer(second).press('Enter');
    await second.locator('.markdown', { hasText: 'from the second' }).waitFor();

    // The first page was written in, so it keeps its words; a page that comes later gets them.
    expect(await composer(first).inputValue()).toBe('/say from the first page');
    await composer(first).press('End');
    await composer(first).pressSequentially('!');
    const { page: third } = await on.page();
    await third.getByRole('button', { name: /Shared words/ }).click();
    await expect.poll(() => composer(third).inputValue(), { timeout: 30_000 }).toBe('/say from the first page!');
  });
});
