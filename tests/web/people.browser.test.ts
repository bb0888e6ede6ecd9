import { type Client, connect, randomId } from '@moorage/client';
import { annotationsUri, type PersonRole, ROOT_URI, sessionUri } from '@moorage/protocol';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { violations, violationsInBothColours } from '../support/axe.js';
import { composer, say, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();
type On = Parameters<Parameters<typeof inBrowser>[1]>[0];

/** Sessions of the tests before may be left by one that failed. */
const newTitle = () => `Shared work ${randomId().slice(0, 8)}`;

/** A session of the owner with a change, a comment by the owner, and a request that waits. */
async function busySession(on: On): Promise<{ owner: Client; session: string; title: string }> {
  const owner = await connect({ url: on.host.url, token: on.host.token });
  const session = sessionUri.format(randomId());
  const folder = owner.hostInfo.defaultDirectory ?? '';
  await owner.request('createSession', { channel: session, provider: 'demo', workingDirectories: [folder] });
  const mirror = await owner.session(session);
  await expect.poll(() => mirror.confirmed.defaultChat, PATIENT).toBeDefined();
  const chat = await owner.chat(mirror.confirmed.defaultChat ?? '');
  const title = newTitle();
  const text = [`/title ${title}`, '/auto on', `/write new-${randomId()}.txt hello`, '/auto off', '/run echo hi'];
  void chat.send(text.join('\n'));
  await expect.poll(() => mirror.confirmed.inputNeeded?.length, PATIENT).toBe(1);
  const annotations = await owner.annotations(annotationsUri(session));
  await annotations.dispatch({
    type: 'annotations/set',
    annotation: {
      id: randomId(),
      resolved: false,
      resource: `${folder}/README.md`,
      origin: { session },
      entries: [{ id: randomId(), text: 'Why?' }],
    },
  });
  return { owner, session, title };
}

async function invited(
  on: On,
  owner: Client,
  name: string,
  role: PersonRole,
  size?: { width: number; height: number },
) {
  const { secret } = await owner.request('moorage/invitePerson', { channel: ROOT_URI, name, role });
  return on.page(new URL(`/#pair=${secret}`, on.host.web).href, size);
}

async function opened(page: Page, title: string): Promise<void> {
  await page.locator('.session-row', { hasText: title }).first().click();
  await page.locator('.approval').waitFor();
}

/** What the page offers somebody in a session that waits for an answer. */
async function offers(page: Page) {
  const has = (locator: ReturnType<Page['locator']>) => locator.count().then((count) => count > 0);
  await page
    .getByRole('button', { name: /^Changes/ })
    .first()
    .click();
  await page.locator('.file-head').first().waitFor();
  const offered = {
    write: await has(composer(page)),
    approve: await has(page.locator('.approval').getByRole('button', { name: /Allow/ })),
    denyWithReason: await has(page.locator('.approval').getByRole('button', { name: /Deny|Edit input/ })),
    rename: await has(page.getByTitle('Rename')),
    remove: await has(page.getByRole('button', { name: 'Delete', exact: true })),
    begin: await has(page.getByRole('button', { name: 'New session' })),
    revert: await has(page.locator('.file-operations button[data-operation="revert"]')),
    markViewed: await has(page.locator('.file-head').getByLabel('Viewed')),
    people: await has(page.getByRole('button', { name: 'People', exact: true })),
    share: await has(page.getByRole('button', { name: 'Share', exact: true })),
  };
  return Object.entries(offered).flatMap(([what, is]) => (is ? what : []));
}

const STEERING = ['write', 'approve', 'denyWithReason', 'rename', 'remove', 'begin', 'revert', 'markViewed'];
const OFFERED: Readonly<Record<PersonRole, readonly string[]>> = {
  view: [],
  review: ['markViewed'],
  steer: [...STEERING, 'share'],
  admin: [...STEERING, 'people', 'share'],
};

describe('the page of somebody', () => {
  for (const role of ['view', 'review', 'steer', 'admin'] as const)
    inBrowser(`with the role ${role} offers what the role may do, and says why not more`, async (on) => {
      const { owner, session, title } = await busySession(on);
      const sent: string[] = [];
      const { page, complaints } = await invited(on, owner, `Ada ${role} ${randomId().slice(0, 6)}`, role);
      page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))));
      await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
      await page.reload();
      await opened(page, title);
      expect(await offers(page)).toEqual(OFFERED[role]);
      if (!OFFERED[role].includes('write'))
        await page.getByText(`Writing needs the role steer; yours is ${role}.`).waitFor();
      expect(await violationsInBothColours(page, role)).toEqual([]);
      expect(await page.locator('.toast').count()).toBe(0);
      if (role === 'view') expect(sent.filter((text) => text.includes('dispatchAction'))).toEqual([]);
      expect(complaints).toEqual([]);
      await owner.request('disposeSession', { channel: session });
      owner.close();
    });

  inBrowser('with the role view has no keys for what the role may not do', async (on) => {
    const { owner, session, title } = await busySession(on);
    const { page } = await invited(on, owner, `Eve ${randomId().slice(0, 6)}`, 'view');
    await opened(page, title);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Palette' });
    await palette.getByRole('combobox').fill('sess');
    await palette.getByText('Next session', { exact: true }).waitFor();
    expect(await palette.getByText('New session', { exact: true }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('.session-row', { hasText: title }).click({ button: 'right' });
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([expect.stringContaining('Select')]);
    await owner.request('disposeSession', { channel: session });
    owner.close();
  });
});

describe('names', () => {
  inBrowser('are on messages and decisions, and say who is here', async (on) => {
    const { owner, session, title } = await busySession(on);
    const { page } = await invited(on, owner, 'Grace Hopper', 'steer');
    await opened(page, title);
    await page
      .locator('.approval')
      .getByRole('button', { name: /^Allow/ })
      .first()
      .click();
    await page.locator('.tool-call').getByText('by Grace Hopper').waitFor();
    await say(page, '/say hello');
    await page.locator('.user-message', { hasText: '/say hello' }).getByText('Grace Hopper').waitFor();
    await say(page, '/ask Shall I? | yes | no');
    const form = page.getByRole('form', { name: 'Question from the agent' });
    await form.getByText('yes', { exact: true }).click();
    await form.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByRole('region', { name: 'Question and answer' }).getByText('Grace Hopper').waitFor();
    await page.locator('.here').getByText('the owner').waitFor();
    const own = await on.page(`${on.host.web}&${new URLSearchParams({ session })}`);
    await own.page.locator('.here').getByText('with Grace Hopper').waitFor();
    await own.page.locator('.user-message').getByText('Grace Hopper').first().waitFor();
    await owner.request('disposeSession', { channel: session });
    owner.close();
  });
});

describe('people', () => {
  for (const size of [undefined, { width: 390, height: 800 }])
    inBrowser(`are invited and revoked by the owner, ${size ? 'on a phone' : 'on a desk'}`, async (on) => {
      const { page, complaints } = await on.page(on.host.web, size);
      if (size) {
        await page
          .getByRole('navigation', { name: 'Parts of the page' })
          .getByRole('button', { name: 'Sessions' })
          .click();
      }
      await page.getByRole('button', { name: 'People', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'People' });
      const name = `Bob ${randomId().slice(0, 6)}`;
      await dialog.getByLabel('Invite somebody').getByPlaceholder('Name').fill(name);
      await dialog.getByLabel('Role').selectOption('review');
      await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
      const qr = dialog.getByRole('img', { name: 'The link as a QR code' });
      await qr.scrollIntoViewIfNeeded();
      expect((await qr.boundingBox())?.height).toBeGreaterThan(150);
      expect(await violationsInBothColours(page, 'people')).toEqual([]);
      const link = await dialog.locator('.copy-line code').innerText();
      const bob = await on.page(link);
      await bob.page.getByText('Beginning one needs the role steer; yours is review.').waitFor();
      await dialog.getByRole('button', { name: `Revoke ${name}` }).click();
      await dialog.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByRole('button', { name: `Revoke ${name}` }).waitFor({ state: 'detached' });
      await bob.page.locator('.connection-bar').waitFor();
      expect(complaints).toEqual([]);
    });
});

describe('a link to one session', () => {
  for (const size of [undefined, { width: 390, height: 800 }])
    inBrowser(`is made in its menu, and shows that session alone, ${size ? 'on a phone' : 'on a desk'}`, async (on) => {
      const { owner, session, title } = await busySession(on);
      const { page } = await on.page();
      await page.locator('.session-row', { hasText: title }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Share…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Share' });
      await dialog.getByLabel('Role').selectOption('review');
      await dialog.getByLabel('Ends after').selectOption('1 hour');
      await dialog.getByRole('button', { name: 'Make a link' }).click();
      const link = await dialog.locator('.copy-line code').innerText();
      expect(await violations(page, 'share')).toEqual([]);
      const guest = await on.page(link, size);
      await guest.page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await guest.page.getByText('Writing needs the role steer; yours is review.').waitFor();
      await guest.page.getByText('Somebody else has to answer.').filter({ visible: true }).waitFor();
      expect(await guest.page.getByRole('navigation', { name: 'Sessions' }).count()).toBe(0);
      expect(await guest.page.getByRole('button', { name: /New session|^Sessions/ }).count()).toBe(0);
      await guest.page.keyboard.press('Alt+n');
      await guest.page.goto(new URL('/#pane=sessions', on.host.web).href);
      await guest.page.reload();
      await guest.page.getByRole('heading', { name: title, level: 1 }).waitFor();
      expect(await violations(guest.page, 'guest')).toEqual([]);
      expect(await guest.page.locator('.toast').count()).toBe(0);
      expect(guest.complaints).toEqual([]);
      await owner.request('disposeSession', { channel: session });
      owner.close();
    });
});
