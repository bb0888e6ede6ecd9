import { connect, type Mirror, randomId, turnStarted } from '@moorage/client';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { composer, newSession, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

/** What was said to the agent, from the first to the last. */
const messages = (page: Page) => page.locator('.user-message .user-text').allInnerTexts();

/** A session with more turns than are drawn at first, and a way to have one more. */
async function longSession({ url, token }: { url: string; token: string }, title: string, turns: number) {
  const client = await connect({ url, token });
  const uri = `ahp-session:/${randomId()}`;
  await client.request('createSession', { channel: uri, provider: 'demo' });
  const session = await client.session(uri);
  const chat = await client.chat(await when(session, ({ defaultChat }) => defaultChat));
  const turn = async (text: string) => {
    const turnId = randomId();
    await chat.dispatch(turnStarted(turnId, { text, origin: { kind: 'user' } }));
    await when(chat, (state) => state.turns.find(({ id }) => id === turnId));
  };
  await turn(`/title ${title}`);
  for (let index = 1; index < turns; index++) await turn(`/say Turn ${index}`);
  return { turn, close: () => client.close() };
}

function when<K extends 'session' | 'chat', T>(
  mirror: Mirror<K>,
  pick: (state: Mirror<K>['optimistic']) => T | undefined,
): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      const found = pick(mirror.optimistic);
      if (found === undefined) return;
      stop();
      resolve(found);
    };
    const stop = mirror.subscribe(look);
    look();
  });
}

describe('a long conversation', () => {
  inBrowser('stays where its reader is while turns come and earlier ones are shown', async (on) => {
    const long = await longSession(on.host, 'A long one', 80);
    try {
      const { page } = await on.page();
      await page.getByRole('button', { name: /A long one/ }).click();
      const turn = (index: number) =>
        page.locator('.turn', { has: page.getByText(`/say Turn ${index}`, { exact: true }) });
      const top = (index: number) =>
        turn(index)
          .locator('.user-text')
          .evaluate((element) => element.getBoundingClientRect().top);
      const scrollTo = (index: number) => turn(index).evaluate((element) => element.scrollIntoView({ block: 'start' }));
      await turn(79).waitFor();
      expect(await page.locator('.turn').count()).toBe(40);
      await scrollTo(60);
      await page.getByRole('button', { name: '↓ Newest' }).waitFor();
      const before = await top(60);
      await long.turn('/say The newest');
      await page.locator('.turn', { hasText: 'The newest' }).waitFor();
      expect(await top(60)).toBe(before);
      expect(await turn(40).count()).toBe(1);

      // Near the first that is drawn, those before it are: first the ones that are here, then those that are not.
      await scrollTo(41);
      await turn(20).waitFor({ state: 'attached' });
      expect(Math.abs((await top(41)) - before)).toBeLessThan(1.5); // places are whole pixels
      expect(await turn(19).count()).toBe(0);
      await scrollTo(21);
      await turn(1).waitFor({ state: 'attached' });
      expect(Math.abs((await top(21)) - before)).toBeLessThan(1.5);
      await page.getByRole('button', { name: 'Earlier turns' }).waitFor({ state: 'detached' });
      expect((await messages(page)).length).toBe(81);
    } finally {
      long.close();
    }
  });
});

describe('the field to write in', () => {
  inBrowser('holds its buttons beside a review, and says how to get to the keys of a question', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/usage 1200 300');
    await page.locator('.usage-total').waitFor();
    await say(page, '/write held.txt one');
    await page.getByText('Press Esc to answer with keys').waitFor();
    await composer(page).fill('Not that');
    await page.getByText('Enter queues, Ctrl+Enter steers').waitFor();
    await page.getByRole('button', { name: /^Changes/ }).click();
    await page.getByRole('region', { name: 'Review' }).waitFor();
    const right = (selector: string) =>
      page.locator(selector).evaluate((element) => element.getBoundingClientRect().right);
    expect(await right('.composer-row > :last-child')).toBeLessThan(await right('.composer'));
    // Only a request that has the focus is answered by keys, so only then its buttons claim them.
    const keys = page.locator('.confirmation-options kbd:visible');
    expect(await keys.allInnerTexts()).toEqual([]);
    await composer(page).press('Escape');
    await expect.poll(() => keys.allInnerTexts()).toEqual(['y', 'a', 'n']);
  });
});

describe('a conversation', () => {
  inBrowser('leaves open what was opened while the turn ran', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/think A thought.\n/read README.md\n/ask Shall I end? | yes');
    const column = page.locator('.chat-column');
    await column.getByRole('button', { name: /^Thought/ }).click();
    await column.getByRole('button', { name: 'Read README.md' }).click();
    await page.getByRole('form', { name: 'Question from the agent' }).waitFor();
    const turn = await column.locator('.turn').elementHandle();
    await column.getByText('yes', { exact: true }).click();
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await column.locator('.turn-foot').waitFor();
    expect(await column.getByRole('region', { name: 'Question and answer' }).innerText()).toMatch(/Shall I end\? yes/);
    expect(await column.getByRole('button', { expanded: true }).count()).toBe(2);
    expect(await turn?.evaluate((element) => element.isConnected)).toBe(true);
  });

  inBrowser('says how long things took, and folds what a turn did when the next one comes', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/auto on\n/read README.md\n/write folded.txt one\\ntwo\\n');
    const first = page.locator('.turn').first();
    await first.locator('.turn-foot').waitFor();
    const calls = first.locator('.tool-call .fold-time');
    const SOME_TIME = /^\d[\d.]*m?s$/;
    for (const time of await calls.allInnerTexts()) expect(time).toMatch(SOME_TIME);
    const lines = first.locator('.inline-diff');
    await lines.getByText('two').waitFor();

    await say(page, '/think Hm.\n/wait 600000');
    await page.getByRole('button', { name: 'Thinking' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.turn-foot').nth(1).waitFor();
    const thought = page.locator('.reasoning .fold-time');
    expect(await thought.innerText()).toMatch(SOME_TIME);
    expect(await lines.count()).toBe(0);
    const line = first.getByRole('button', { name: /Wrote folded.txt/ });
    expect(await line.innerText()).toContain('+2');
    // Beside each other at the end of the line.
    const [counts, time] = await Promise.all(
      [line.locator('.counts'), line.locator('.fold-time')].map((at) => at.boundingBox()),
    );
    expect((time?.x ?? 0) - ((counts?.x ?? 0) + (counts?.width ?? 0))).toBeLessThan(20);
    await line.click();
    await lines.getByText('two').waitFor();

    // What the host says is there for whoever comes later; what the page saw itself is not made up again.
    const told = await calls.allInnerTexts();
    await page.reload();
    await calls.first().waitFor();
    expect(await calls.allInnerTexts()).toEqual(told);
    expect(await thought.count()).toBe(1);
    expect(await thought.innerText()).toBe('');
  });

  inBrowser('can be told differently: what came after is taken out, for everybody', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    for (const word of ['one', 'two', 'three']) {
      await say(page, `/say ${word}`);
      await page.locator('.markdown', { hasText: word }).waitFor();
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    }
    await page.locator('.user-message', { hasText: '/say two' }).hover();
    await page.locator('.user-message', { hasText: '/say two' }).getByRole('button', { name: 'Edit and send' }).click();
    await page.getByLabel('Edit the message').fill('/say other');
    await page.getByRole('button', { name: 'Send again', exact: true }).click();
    await page.locator('.markdown', { hasText: 'other' }).waitFor();
    expect(await messages(page)).toEqual(['/say one', '/say other']);
    await page.reload();
    await page.locator('.markdown', { hasText: 'other' }).waitFor();
    expect(await messages(page)).toEqual(['/say one', '/say other']);
  });

  inBrowser('goes on from an earlier turn in a chat of its own', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/say one');
    await page.locator('.markdown', { hasText: 'one' }).waitFor();
    await say(page, '/say two');
    await page.locator('.markdown', { hasText: 'two' }).waitFor();
    const first = page.locator('.turn', { hasText: '/say one' });
    await first.hover();
    await first.getByRole('button', { name: 'Fork' }).click();
    await page.getByRole('tablist', { name: 'Chats' }).getByRole('tab').nth(1).waitFor();
    await page.locator('.markdown', { hasText: 'two' }).waitFor({ state: 'detached' });
    await page.locator('.markdown', { hasText: 'one' }).waitFor();
    await say(page, '/say elsewhere');
    await page.locator('.markdown', { hasText: 'elsewhere' }).waitFor();
    await page.getByRole('tablist', { name: 'Chats' }).getByRole('tab').first().click();
    await page.locator('.markdown', { hasText: 'two' }).waitFor();
    expect(await messages(page)).toEqual(['/say one', '/say two']);
  });

  inBrowser('is tried again where a turn failed', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/fail It broke');
    await page.getByRole('alert').getByText('It broke').waitFor();
    const failed = await page.locator('.turn').getAttribute('data-turn');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.locator('.turn').getAttribute('data-turn'), { timeout: 30_000 }).not.toBe(failed);
    await page.getByRole('alert').getByText('It broke').waitFor();
    expect(await messages(page)).toEqual(['/fail It broke']);
  });

  inBrowser('has messages that wait, in the order that was chosen', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/wait 60000');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    for (const word of ['first', 'second', 'third']) await say(page, `/say ${word}`);
    const waiting = page.getByRole('list', { name: 'Waiting messages' }).getByRole('listitem');
    await expect.poll(() => waiting.count(), { timeout: 30_000 }).toBe(3);
    await waiting.nth(2).getByRole('button', { name: 'Move up' }).click();
    await expect.poll(() => waiting.nth(1).innerText(), { timeout: 30_000 }).toContain('third');
    await waiting.nth(0).getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => waiting.count(), { timeout: 30_000 }).toBe(2);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.locator('.markdown', { hasText: 'second' }).waitFor();
    expect(await messages(page)).toEqual(['/wait 60000', '/say third', '/say second']);
  });

  inBrowser('has questions that digits answer', async (on) => {
    const { page } = await on.page();
    await newSession(page);
    await say(page, '/ask Which colour? | red | blue');
    await page.getByRole('radio', { name: 'blue' }).waitFor();
    await composer(page).focus();
    await page.keyboard.press('Escape'); // leads to the question
    await page.keyboard.press('2');
    await page.getByRole('radio', { name: 'blue', checked: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.answer', { hasText: 'blue' }).waitFor();
    await page.getByRole('radio').first().waitFor({ state: 'detached' });
  });

  inBrowser('is had without a mouse, from the first key to the review', async (on) => {
    const { page } = await on.page();
    await page.clock.install();
    await page.reload();
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
    const { keyboard } = page;
    await keyboard.press('Alt+n');
    await page.getByLabel('First message').waitFor();
    await keyboard.type('/title By keys');
    await keyboard.press('Shift+Enter');
    await keyboard.type('/write keys.txt one');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Write keys.txt?' }).waitFor();
    await keyboard.press('Escape'); // leads to the request
    await page.locator('.approval:focus').waitFor();
    await page.clock.fastForward(600); // long enough to have read it
    await keyboard.press('y');
    await page.getByText('Wrote keys.txt').waitFor();
    await keyboard.press('Alt+r');
    await page.locator('.review .diff-line.added', { hasText: 'one' }).waitFor();
    await keyboard.press('j');
    await page.locator('[data-cursor]').waitFor();
    await keyboard.press('x');
    const question = page.getByRole('alertdialog');
    await question.waitFor();
    await keyboard.press('Enter');
    await page.locator('.toast').waitFor();
    await page.getByText('Nothing was changed here.').waitFor();
    await keyboard.press('u');
    await page.locator('.review .diff-line.added', { hasText: 'one' }).waitFor();
    await keyboard.press('Alt+r');
    await page.locator('.review').waitFor({ state: 'detached' });
    await keyboard.press('Control+k');
    await keyboard.type('by keys');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'By keys' }).waitFor();
    // With Tab alone everything is reached, and what has the focus can be seen.
    const seen = new Set<string>();
    for (let step = 0; step < 40; step++) {
      await keyboard.press('Tab');
      seen.add(
        await page.evaluate(() => {
          const { activeElement: at } = document;
          // The field to write in shows it by the line around all of it.
          const frame = at?.closest('.composer') ?? at;
          const style = frame && getComputedStyle(frame);
          const line = frame === at ? undefined : style?.borderColor;
          const visible = line === 'rgb(47, 95, 224)' || (style?.outlineStyle ?? 'none') !== 'none';
          return `${at?.getAttribute('aria-label') ?? at?.textContent?.trim()}${visible ? '' : ' (not seen)'}`;
        }),
      );
    }
    for (const name of ['New session', 'Terminals', 'Archive', 'Delete', 'Message to the agent'])
      expect([...seen]).toContain(name);
  });
});
