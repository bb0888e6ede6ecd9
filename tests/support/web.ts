import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connect, randomId } from '@moorage/client';
import { sessionUri } from '@moorage/protocol';
import type { Browser, BrowserContextOptions, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, afterEach, beforeAll, it } from 'vitest';
import { launchChromium, launchWholeChromium } from './chromium.js';
import { type HostProcess, startHostProcess } from './host-process.js';
import { removeFolder } from './remove-folder.js';
import { gitOutput } from './repository.js';

/** Generous: a machine under load is no failure. */
const WAIT_MS = 30_000;

interface WatchedPage {
  readonly page: Page;
  /** What the browser complained of: errors of scripts, and what the page's policy had to stop. */
  readonly complaints: readonly string[];
}

interface BrowserChoice {
  /** A browser of its own, with all that the headless shell leaves out. */
  readonly whole?: boolean;
}

/** A real host process with a repository, and a real browser. */
class Web {
  readonly folder: string;
  readonly workspace: string;
  host!: HostProcess;
  readonly browser: Browser;
  readonly #pages: WatchedPage[] = [];

  /** Undefined where there is no browser. */
  static async start(config: object | undefined, { whole }: BrowserChoice): Promise<Web | undefined> {
    const browser = whole ? await launchWholeChromium() : await launchChromium();
    if (!browser) return undefined;
    const web = new Web(browser, config);
    await web.startHost();
    return web;
  }

  readonly #config: object;

  constructor(browser: Browser, config: object = {}) {
    this.browser = browser;
    this.#config = config;
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-web-')));
    this.workspace = join(this.folder, 'repository');
    this.write('README.md', '# Repository\n');
    this.git('init', '--quiet', '--initial-branch=main');
    this.git('config', 'user.name', 't'); // for commits that the host makes
    this.git('config', 'user.email', 't@localhost');
    this.commit();
  }

  async startHost(port = '0'): Promise<void> {
    if (!existsSync(this.#file)) writeFileSync(this.#file, JSON.stringify(this.#config));
    const args = [
      '--config',
      this.#file,
      '--data-dir',
      join(this.folder, 'data'),
      '--root',
      this.workspace,
      '--port',
      port,
    ];
    // A home of its own: what the user of this machine keeps there is not part of the test.
    this.host = await startHostProcess(args, { HOME: this.folder });
  }

  /** Stops the host and starts it again where it was, so that pages connect again. */
  async restartHost(): Promise<void> {
    const { port } = this;
    await this.host.stop();
    await this.startHost(port);
  }

  /** What the host's configuration file has. */
  config(): unknown {
    return JSON.parse(readFileSync(this.#file, 'utf8'));
  }

  get #file(): string {
    return join(this.folder, 'config.json');
  }

  get port(): string {
    return new URL(this.host.url).port;
  }

  write(path: string, text: string | Buffer): void {
    const file = join(this.workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  read(path: string): string {
    return readFileSync(join(this.workspace, path), 'utf8');
  }

  commit(): void {
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'more');
  }

  git(...args: string[]): string {
    return gitOutput(this.workspace, ...args);
  }

  /** A page in a browser profile of its own. */
  async page(
    url = this.host.web,
    size = { width: 1280, height: 800 },
    device: BrowserContextOptions = {},
  ): Promise<WatchedPage> {
    // What moves is painted again and again, which takes more of the processor than the tests.
    const context = await this.browser.newContext({ viewport: size, reducedMotion: 'reduce', ...device });
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text());
    });
    await page.goto(url);
    const watched = { page, complaints };
    this.#pages.push(watched);
    return watched;
  }

  async closePages(): Promise<void> {
    for (const { page } of this.#pages.splice(0)) await page.context().close();
  }

  async dispose(): Promise<void> {
    await this.browser.close();
    await this.host.stop();
    await removeFolder(this.folder);
  }
}

/**
 * A host and a browser for the tests of a file. Gives how to write one: it is skipped, loudly, where there is no browser
 * (see chromium.ts).
 */
export function withBrowser(
  config?: () => Promise<object>,
  choice: BrowserChoice = {},
): (name: string, run: (web: Web) => Promise<void>, timeout?: number) => void {
  let web: Web | undefined;
  beforeAll(async () => {
    web = await Web.start(await config?.(), choice);
  }, STARTED_WITHIN_MS);
  afterEach(() => web?.closePages());
  afterAll(() => web?.dispose());
  return (name, run, timeout) =>
    it(name, { ...(timeout !== undefined && { timeout }) }, async (context) => {
      if (!web) return context.skip();
      await run(web);
    });
}

/** A browser may have to be installed first. */
const STARTED_WITHIN_MS = 360_000;

/** Opens a session without a message, as another client made it: the page itself makes one only with its first message. */
export async function newSession(page: Page, agent = 'Demo', folders?: readonly string[]): Promise<void> {
  const token = (await page.evaluate(() => sessionStorage.getItem('moorage.token'))) ?? '';
  const client = await connect({ url: new URL(page.url()).origin, token });
  const root = await client.root();
  const provider = root.confirmed.agents.find(({ displayName }) => displayName === agent)?.provider ?? 'demo';
  const channel = sessionUri.format(randomId());
  const folder = client.hostInfo.defaultDirectory;
  const workingDirectories = folders?.slice() ?? (folder === undefined ? undefined : [folder]);
  await client.request('createSession', { channel, provider, ...(workingDirectories && { workingDirectories }) });
  await client.close();
  await page.evaluate((session) => {
    location.hash = String(new URLSearchParams({ session, pane: 'chat' }));
  }, channel);
  await page.getByRole('heading', { name: 'New session', level: 1 }).waitFor(); // and not what was open before
  await composer(page).waitFor();
}

/** Opens the prompt for a new session. */
export async function newPrompt(page: Page) {
  await page.getByRole('button', { name: 'New session' }).first().click();
  const prompt = page.locator('.home');
  await prompt.waitFor();
  return prompt;
}

export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

export function composer(page: Page) {
  return page.getByLabel('Message to the agent');
}

/** Chooses which changes the review shows, by the beginning of their name. */
export async function showChanges(page: Page, name: string): Promise<void> {
  const picker = page.getByLabel('Changes shown');
  const option = picker.locator('option', { hasText: name }).first();
  await option.waitFor({ state: 'attached' });
  await picker.selectOption(await option.getAttribute('value'));
}

/** Switches something in the menu "View" of the review. */
export async function toggleView(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name }).click();
}

/** Chooses something for all that the review shows. */
export async function chooseForAll(page: Page, name: string): Promise<void> {
  await page.locator('.review-head').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: false }).click();
}

/** Lets reads of files fail while it says so, as a host in trouble would; and can cut the connection. */
export async function failReads(page: Page): Promise<{ failing: boolean; cut(): Promise<void> }> {
  const sockets: WebSocketRoute[] = [];
  const control = { failing: true, cut: () => sockets.splice(0).at(-1)?.close() ?? Promise.resolve() };
  await page.routeWebSocket(/.*/, (socket) => {
    const server = socket.connectToServer();
    sockets.push(socket);
    socket.onMessage((text) => {
      const { id, method } = JSON.parse(String(text));
      if (!control.failing || method !== 'resourceRead') return server.send(text);
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'the disk is busy' } }));
    });
    server.onMessage((bytes) => socket.send(bytes));
  });
  return control;
}

/** Keeps what the host answers to reads of files back until it is released: as a slow host would, in any order. */
export async function holdReads(page: Page): Promise<{ release(content: RegExp): void }> {
  const asked = new Set<unknown>();
  let held: { readonly text: string; send(): void }[] = [];
  let open = /(?!)/;
  await page.routeWebSocket(/.*/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const { id, method } = JSON.parse(String(text));
      if (method === 'resourceRead') asked.add(id);
      server.send(text);
    });
    server.onMessage((bytes) => {
      const text = String(bytes);
      if (!asked.has(JSON.parse(text).id) || open.test(text)) socket.send(bytes);
      else held.push({ text, send: () => socket.send(bytes) });
    });
  });
  return {
    release(content) {
      open = content;
      for (const answer of held) if (content.test(answer.text)) answer.send();
      held = held.filter(({ text }) => !content.test(text));
    },
  };
}
