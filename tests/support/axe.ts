import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds that keeps somebody from using the page. */
export async function violations(page: Page, screen: string): Promise<string[]> {
  return found(page, screen, undefined);
}

/**
 * The same in the light and in the dark. Only colours depend on that, so in the dark only what axe finds about them is looked for. Ends
 * in the light.
 */
export async function violationsInBothColours(page: Page, screen: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await found(page, `${screen}, light`, undefined);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await found(page, `${screen}, dark`, ABOUT_COLOURS);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark];
}

/** All of its rules that ask for colours, by their names. */
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block'];

async function found(page: Page, screen: string, rules: readonly string[] | undefined): Promise<string[]> {
  // Once per document: it is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const all = await page.evaluate(async (runOnly) => {
    const injected = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
    // Of what is right it would say at length why.
    return (await injected.axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })).violations;
  }, rules);
  return all
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) => `${screen}: ${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)}`,
    );
}
