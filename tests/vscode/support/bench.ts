import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, connect } from '@moorage/client';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { vi } from 'vitest';
import { launchChromium } from '../../support/chromium.js';
import { MOORAGE_BIN } from '../../support/cli.js';
import { freePort } from '../../support/free-port.js';
import { type HostProcess, startHostProcess } from '../../support/host-process.js';
import { gitOutput } from '../../support/repository.js';
import { installed } from './install.js';
import { RecordingProxy } from './recording-proxy.js';

/** Which VS Code it is; `vitest.vscode.config.ts` has the list. */
const BUILD = process.env.VSCODE_BUILD ?? '';

/**
 * Up to 1.135, VS Code in a browser names folders by the address of its server, but lists only sessions in folders that are
 * named so in what comes after the list: it changes the names in the list itself, so that no session of any host is in it.
 */
export const LISTS_NEW_SESSIONS_ONLY = BUILD < '4.136';

/** Before 1.137 a chat beside the editor shows changes in the conversation alone. */
export const HAS_CHANGES_PILL = BUILD >= '4.137';

/** Generous: VS Code on a machine under load takes its time. */
export const LONG = { timeout: 60_000, interval: 200 };

/** Milliseconds until the window shows a message that it has taken. */
const TYPING_MS = 5_000;

/** For waiting until something can be clicked. */
export const CLICK = { timeout: LONG.timeout };

/** User settings: the chat without an account, and nothing that asks or calls home. */
const SETTINGS = {
  'chat.disableAIFeatures': false,
  'chat.agentHost.allowSignedOutWhenUsable': true,
  'chat.viewSessions.enabled': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'security.workspace.trust.enabled': false,
};

/** Complaints of a browser without an account, a secure origin and compiled modules, which are none of the host. */
const NOISE =
  /lifecycle|Service ?Worker|Failed to load resource|Manifest fetch|authentication provider|Throttler is disposed|bad HTTP response|listener LEAK|spdlog|watchdog/;

/** 1.137 and 1.138 subscribe to the name of a new chat before there is a session for it, and go on when there is none. */
const NEVER_CREATED = /^subscribe: -32001 there is no session [^/]+:\/untitled-/;

/** A real VS Code with a folder of its own, a host process, and a proxy between them. */
export class VscodeBench {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-vscode-')));
  readonly workspace = join(this.folder, 'repository');
  readonly errors: string[] = [];
  readonly #browser: Browser;
  readonly #proxy: RecordingProxy;
  readonly #clients: Client[] = [];
  host!: HostProcess;
  page!: Page;
  #server: ChildProcess | undefined;
  #context: BrowserContext | undefined;
  #url = '';

  /** `hostAt` starts another host than one process of this machine, and gives its address with a token. */
  static async start(hostAt?: (bench: VscodeBench) => Promise<string>): Promise<VscodeBench> {
    const browser = await launchChromium();
    if (!browser) throw new Error('there is no Chromium to run VS Code in');
    const bench = new VscodeBench(browser, await RecordingProxy.start());
    if (hostAt) bench.#proxy.leadTo(await hostAt(bench));
    else await bench.startHost();
    await bench.#startServer();
    await bench.open();
    return bench;
  }

  constructor(browser: Browser, proxy: RecordingProxy) {
    this.#browser = browser;
    this.#proxy = proxy;
    mkdirSync(this.workspace);
    writeFileSync(join(this.workspace, 'a.py'), 'a = 1\n');
    this.git('init', '--quiet', '--initial-branch=main');
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'Start');
  }

  /** What was said between the window and the host. */
  get wire(): RecordingProxy {
    return this.#proxy;
  }

  get dataDir(): string {
    return join(this.folder, 'data');
  }

  git(...args: string[]): string {
    return gitOutput(this.workspace, ...args);
  }

  async startHost(): Promise<void> {
    const args = ['--data-dir', this.dataDir, '--root', this.workspace, '--no-web'];
    this.host = await startHostProcess(args, { HOME: this.folder });
    this.#proxy.leadTo(`${this.host.url}?tkn=${this.host.token}`);
  }

  /** Opens the workspace in a new window. */
  async open(): Promise<void> {
    await this.#context?.close();
    const context = await this.#browser.newContext({ viewport: { width: 1400, height: 900 } });
    this.#context = context;
    const isElsewhere = ({ protocol, hostname }: URL) => protocol.startsWith('http') && hostname !== '127.0.0.1';
    await context.route(isElsewhere, (route) => route.abort());
    this.page = await context.newPage();
    this.page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' && !NOISE.test(text)) this.errors.push(text.slice(0, 300));
    });
    await this.page.goto(`${this.#url}/?folder=${this.workspace}`);
    await until('the window asks for sessions', () => this.wire.requests('listSessions').length > 0);
  }

  /** Chooses an agent of the host for new chats, by keyboard: in earlier builds something invisible takes the clicks. */
  async choose(agent: string): Promise<void> {
    const { page } = this;
    const rows = page.locator('.action-widget .monaco-list-row');
    await until(`${agent} can be chosen`, async () => {
      if ((await rows.count()) === 0) await click(page.getByText('Local', { exact: true }).last());
      const focused = rows.and(page.locator('.focused'));
      for (let tries = await rows.count(); tries > 0; tries -= 1) {
        if ((await focused.locator('.title').innerText(CLICK)) === agent) {
          await page.keyboard.press('Enter');
          return true;
        }
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Escape'); // it may not know the host's agents yet
      return false;
    });
    await until('a session is created', () => this.wire.requests('createSession').at(-1)?.answer !== undefined);
  }

  /** Begins another session with the same agent. */
  async newChat(): Promise<void> {
    const before = this.wire.requests('createSession').length;
    await this.page
      .getByRole('button', { name: /^New Chat \(/ })
      .first()
      .click();
    await until('another session is created', () => {
      const requests = this.wire.requests('createSession');
      return requests.length > before && requests.at(-1)?.answer !== undefined;
    });
  }

  get #input(): Locator {
    return this.page.locator('.interactive-input-editor');
  }

  /** Types into the chat's input, in place of what is there. */
  async type(text: string): Promise<void> {
    await this.#input.locator('.monaco-editor').first().click({ force: true });
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.insertText(text);
  }

  async typed(): Promise<string> {
    return (await this.#input.locator('.view-lines').first().innerText()).replaceAll('\u00a0', ' ');
  }

  /** Sends a message. A window that is just about to show another session may lose what is typed: then it is typed again. */
  async send(text: string): Promise<void> {
    const shown = this.page.locator('.interactive-request');
    const [before, rows] = [this.wire.dispatched('chat/turnStarted').length, await shown.count()];
    const isSent = () => this.wire.dispatched('chat/turnStarted').length > before;
    await until('the message is taken', async () => {
      await this.type(text);
      await this.page.keyboard.press('Enter');
      const isTaken = async () => isSent() || (await shown.count()) > rows;
      return vi.waitUntil(isTaken, { timeout: TYPING_MS, interval: LONG.interval }).then(
        () => true,
        () => false,
      );
    });
    await until('the message is sent', isSent);
  }

  /** A button in the conversation; VS Code keeps invisible twins of some. */
  button(name: RegExp): Locator {
    return this.page.locator('.monaco-button.monaco-text-button:visible').filter({ hasText: name }).first();
  }

  /** Refuses what waits for an approval. */
  get skip(): Locator {
    return this.panel.locator('[aria-label^="Skip"]:visible').first();
  }

  /** Says how much a session has changed; a click shows what. */
  get changesPill(): Locator {
    return this.page.locator('.chat-changes-pill-button:visible').first();
  }

  /** One answer to the question that is open; a click sends it. */
  option(name: string): Locator {
    return this.page.locator('.chat-question-list-item:visible', { hasText: name }).first();
  }

  get stop(): Locator {
    return this.page.locator('.codicon-stop-circle:visible').first();
  }

  /** What the conversation shows. */
  conversation(): Promise<string> {
    return this.page.locator('.interactive-session').first().innerText();
  }

  /** Waits until the conversation has a line of its own with this text, which a message with the step that says it has not. */
  async shows(line: string): Promise<void> {
    await until(`"${line}" is shown`, async () => (await this.conversation()).split('\n').includes(line));
  }

  /** Waits until no turn runs any more, as the window shows it. */
  async idle(): Promise<void> {
    await until('no turn runs', async () => (await this.stop.count()) === 0);
  }

  /** The part of the window that shows the conversation, or the list of sessions beside it. */
  get panel(): Locator {
    return this.page.locator('.part.auxiliarybar');
  }

  /** The title above the conversation. */
  get heading(): Locator {
    return this.panel.locator('.chat-view-title-label-container:visible, .chat-view-title-label:visible').first();
  }

  /** Opens a session from the list. */
  async openSession(title: string): Promise<void> {
    await this.panel.getByText(title, { exact: true }).first().click();
    await until(`${title} is shown`, async () => (await this.page.locator('.interactive-request').count()) > 0);
  }

  /** Shows the list of sessions. */
  async showSessions(): Promise<void> {
    await this.command('Show Agent Sessions Sidebar');
  }

  /** What should be said of every window when all is done: nothing was refused, and nothing could not be shown. */
  get complaints(): string[] {
    const failures = this.wire.failures.filter((failure) => !NEVER_CREATED.test(failure));
    return [...failures, ...this.wire.rejections, ...this.errors];
  }

  /** A client of our own library, on the same host. */
  async client(): Promise<Client> {
    const client = await connect({ url: this.host.url, token: this.host.token });
    this.#clients.push(client);
    return client;
  }

  /** Runs our own command line in the workspace. */
  moorage(...args: string[]): void {
    execFileSync(process.execPath, [MOORAGE_BIN, ...args, '--data-dir', this.dataDir], {
      stdio: 'ignore',
      cwd: this.workspace,
      env: { ...process.env, HOME: this.folder },
    });
  }

  /** Runs a command from the palette. */
  async command(title: string): Promise<void> {
    const palette = this.page.locator('.quick-input-widget:visible input').first();
    await until('the palette opens', async () => {
      if (!(await palette.isVisible())) await this.page.keyboard.press('F1');
      return palette.isVisible();
    });
    await palette.fill(`>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
  }

  /** A picture for people to look at, if somebody wants some. */
  async picture(name: string): Promise<void> {
    const folder = process.env.VSCODE_PICTURES;
    if (folder !== undefined) await this.page.screenshot({ path: join(folder, `${BUILD}-${name}.png`) });
  }

  async end(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.#browser.close();
    this.#proxy.close();
    if (this.#server?.pid !== undefined) process.kill(-this.#server.pid, 'SIGKILL'); // with what it started
    await this.host?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #startServer(): Promise<void> {
    const { node, server } = installed(BUILD);
    const port = await freePort();
    const data = join(this.folder, 'vscode');
    mkdirSync(join(data, 'User'), { recursive: true });
    writeFileSync(join(data, 'User', 'settings.json'), JSON.stringify(SETTINGS));
    const options = {
      host: '127.0.0.1',
      port,
      'user-data-dir': data,
      'server-data-dir': data,
      'extensions-dir': join(data, 'extensions'),
      'telemetry-level': 'off',
      'agent-host-bridge-host': '127.0.0.1',
      'agent-host-bridge-port': this.#proxy.port,
      'agent-host-bridge-connection-token': 'any',
    };
    const flags = ['--without-connection-token', '--accept-server-license-terms', '--disable-workspace-trust'];
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const log = openSync(join(this.folder, 'vscode.log'), 'w');
    this.#server = spawn(node, ['out/server-main.js', ...flags, ...args], {
      cwd: server,
      env: { ...process.env, HOME: this.folder },
      stdio: ['ignore', log, log],
      detached: true,
    });
    this.#url = `http://127.0.0.1:${port}`;
    const answers = () =>
      fetch(this.#url).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('VS Code answers', answers);
  }
}

/** Waits for something that VS Code will do in its own time. */
async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => {
    if (!(await isSo())) throw new Error(`waited in vain: ${what}`);
  }, LONG);
}

/** A click that may be tried again; whether it hit something. */
function click(target: Locator): Promise<boolean> {
  return target.click({ timeout: 1_000 }).then(
    () => true,
    () => false,
  );
}
