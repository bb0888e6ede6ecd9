import { connect, randomId } from '@moorage/client';
import { type PersonRole, ROOT_URI } from '@moorage/protocol';
import { describe, expect } from 'vitest';
import { violations } from '../support/axe.js';
import { withBrowser } from '../support/web.js';

const inBrowser = withBrowser();

describe('automations on the page', () => {
  inBrowser('are made, run, changed, switched, cancelled and removed, and lead to their sessions', async (on) => {
    const { page } = await on.page();
    const title = `Morning ${randomId().slice(0, 6)}`;
    await page.getByRole('button', { name: 'Automations' }).click();
    const dialog = page.getByRole('dialog', { name: 'Automations' });
    await dialog.getByRole('button', { name: 'New automation' }).click();
    await dialog.getByLabel('Title').fill(title);
    await dialog.getByLabel('What its sessions begin with').fill('/say good morning');
    await dialog.getByLabel('Schedule', { exact: true }).fill('whenever');
    await dialog.getByText('Five fields: minute, hour').waitFor();
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await dialog.getByRole('alert').getByText('is no schedule').waitFor();
    await dialog.getByLabel('Schedule', { exact: true }).fill('0 9 * * 1-5');
    await dialog.getByLabel('Time zone').fill('Europe/Berlin');
    await dialog.getByText('Every weekday at 09:00 Europe/Berlin, next').waitFor();
    await dialog.getByLabel('Agent').selectOption('demo');
    expect(await violations(page, 'form')).toEqual([]);
    await dialog.getByRole('button', { name: 'Make it' }).click();
    const row = dialog.getByRole('listitem').filter({ hasText: title });
    await row.getByText('Every weekday at 09:00 Europe/Berlin · next').waitFor();
    await row.getByRole('button', { name: `Run now: ${title}` }).click();
    await row.getByText('Runs: the last completed').click();
    await row.getByText('on request').waitFor();
    expect(await violations(page, 'list')).toEqual([]);

    await row.getByRole('button', { name: `Edit ${title}` }).click();
    await dialog.getByLabel('When').selectOption('event');
    await dialog.getByLabel('A turn failed').check();
    await dialog.getByLabel('What its sessions begin with').fill('/ask Which? | a | b');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('When a turn failed').waitFor();
    await row.getByRole('button', { name: `Disable ${title}` }).click();
    await row.getByText('disabled', { exact: true }).waitFor();
    await row.getByRole('button', { name: `Run now: ${title}` }).click();
    await row.getByText('Runs: the last running').click();
    await row.getByRole('button', { name: 'Cancel' }).click();
    await row.getByText('Runs: the last cancelled').waitFor();

    await row.getByRole('button', { name: 'Session' }).last().click();
    await page.getByText('good morning').last().waitFor();
    await page.keyboard.press('Alt+a');
    await row.getByRole('button', { name: `Remove ${title}` }).click();
    await row.getByRole('button', { name: 'Remove', exact: true }).click();
    await row.waitFor({ state: 'detached' });
  });

  inBrowser('are only shown to somebody who may not change them', async (on) => {
    const owner = await connect({ url: on.host.url, token: on.host.token });
    const automations = await owner.subscribe('ahp-automations://', { kind: 'automation' });
    const title = `Mine ${randomId().slice(0, 6)}`;
    const message = { text: '/say hi', origin: { kind: 'user' as const } };
    const definition = { title, message, session: { provider: 'demo' }, enabled: true, triggers: [] };
    await automations.dispatch({
      type: 'automation/createRequested',
      resource: `ahp-automation:/${randomId()}`,
      definition,
    });
    const role: PersonRole = 'review';
    const { secret } = await owner.request('moorage/invitePerson', {
      channel: ROOT_URI,
      name: `Ada-${randomId().slice(0, 6)}`,
      role,
    });
    const { page } = await on.page(new URL(`/#pair=${secret}`, on.host.web).href);
    await page.getByRole('button', { name: 'Automations' }).click();
    const dialog = page.getByRole('dialog', { name: 'Automations' });
    await dialog.getByText(title).waitFor();
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['']); // to close it
    owner.close();
  });
});
