import { afterAll, describe, expect } from 'vitest';
import { FakeModel } from '../support/fake-model.js';
import { composer, newPrompt, say, withBrowser } from '../support/web.js';

let model: FakeModel | undefined;
const inBrowser = withBrowser(async () => {
  model = await FakeModel.start();
  const { baseURL } = model;
  return {
    agents: { local: { type: 'model', displayName: 'Local', api: 'openai', baseURL, models: ['m1', 'm2', 'm3'] } },
  };
});
afterAll(() => model?.close());

describe('the model of a chat', () => {
  inBrowser('is chosen with the session, and later for everyone, also before a message', async (on) => {
    const asked = async (index: number) => (await model?.request(index))?.model;
    const { page: first } = await on.page();
    const form = await newPrompt(first);
    await form.getByLabel('Agent').selectOption({ label: 'Local' });
    await form.getByLabel('Model').selectOption({ label: 'm2' });
    await form.getByLabel('First message').fill('Hello');
    await form.getByRole('button', { name: 'Start session' }).press('Enter');
    await first.locator('.turn-foot').waitFor();
    expect(await asked(0)).toBe('m2');

    const { page: second } = await on.page();
    await second.locator('.session-row').first().click();
    const picker = second.getByRole('combobox', { name: 'Model' });
    await expect.poll(() => picker.inputValue()).toBe('m2');
    await picker.selectOption({ label: 'm3' });
    await expect.poll(() => first.getByRole('combobox', { name: 'Model' }).inputValue()).toBe('m3');
    await say(first, 'And now?');
    await first.locator('.turn-foot').nth(1).waitFor();
    expect(await asked(1)).toBe('m3');
    await composer(first).waitFor();
    expect(await picker.inputValue()).toBe('m3');
  });
});
