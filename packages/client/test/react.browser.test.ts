import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../../tests/support/chromium.js';

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The helpers of the tests use the entry for Node. */
const browserEntry: Plugin = {
  name: 'browser-entry',
  setup: ({ onResolve }) => onResolve({ filter: /src\/index\.js$/ }, () => ({ path: here('../src/index.browser.ts') })),
};

/** Calls a function of `support/react-page.ts`, and lets its news reach the components. */
async function call(page: Page, name: string, ...args: string[]): Promise<unknown> {
  const result = await page.evaluate(`globalThis[${JSON.stringify(name)}](...${JSON.stringify(args)})`);
  await page.evaluate(`new Promise((resolve) => setTimeout(resolve)).then(() => globalThis.turn())`);
  return result;
}

it('hooks follow a chat, its requests, the sessions and the connection, and give back what they opened', async ({
  skip,
}) => {
  if (!browser) return skip();
  const { outputFiles } = await build({
    entryPoints: [here('support/react-page.ts')],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    plugins: [browserEntry],
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.setContent('<body></body>');
  await page.addScriptTag({ type: 'module', content: outputFiles[0]?.text ?? '' });
  const shows = (text: string) => page.waitForFunction((wanted) => document.body.textContent === wanted, text);

  await shows('live||0|Listed|');
  await call(page, 'say', 'hello');
  await shows('live|hello|0|Listed|');
  await call(page, 'ask');
  await shows('live|hello|1|Listed|');
  await call(page, 'show', 'ahp-session:/s');
  await page.waitForFunction(() => document.body.textContent?.includes('open the session with client.session(uri)'));
  expect(await call(page, 'unsubscribed')).toBe(await call(page, 'subscribed'));
  await call(page, 'close');
  await page.waitForFunction(() => document.body.textContent?.startsWith('closed'));
  await call(page, 'unmount');
  expect(errors).toEqual([]);
  await page.close();
});
