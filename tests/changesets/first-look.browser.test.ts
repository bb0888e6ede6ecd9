import { ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { siteFolder } from '../../packages/cli/src/serve/site-folder.js';
import { webPage } from '../../packages/cli/src/serve/web-page.js';
import { accepted } from '../support/actions.js';
import { CliWorld, MOORAGE_BIN } from '../support/cli.js';
import { HeldLook } from '../support/held-look.js';
import { Pty } from '../support/pty.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost, type TestHostOptions, userMessage } from '../support/test-host.js';
import { newSession, say, withBrowser } from '../support/web.js';

const PROGRESS = 'Reading the folder: 120 of 300 files';

const inBrowser = withBrowser();

let look: HeldLook;
let host: TestHost;
beforeEach(() => {
  look = new HeldLook();
});
afterEach(async () => {
  look.release();
  await host.dispose();
});

async function start(options: TestHostOptions = {}): Promise<void> {
  const { clock, workspaces } = look;
  host = await TestHost.start({ clock, workspaces, ...options });
}

describe('a turn that waits for the first look at its folder', () => {
  it('says how far that is, on a line of the terminal that goes when the agent speaks', async () => {
    const world = new CliWorld();
    try {
      await start({ workspace: world.work });
      const env = { ...world.env, MOORAGE_HOST: host.url, MOORAGE_TOKEN: host.token };
      const terminal = new Pty(process.execPath, [MOORAGE_BIN, 'run', '/say the answer'], { cwd: world.work, env });
      await terminal.sees(`\r\x1b[K${PROGRESS} ...`);
      look.release();
      await terminal.sees('\r\x1b[K'); // before the answer, which would stand behind it otherwise
      await terminal.sees('the answer');
      expect(await terminal.ended()).toBe(0);
    } finally {
      await world.end();
    }
  });

  it('says nothing of it to a script', async () => {
    const world = new CliWorld();
    try {
      await start({ workspace: world.work });
      const env = { MOORAGE_HOST: host.url, MOORAGE_TOKEN: host.token };
      const watcher = await host.client({ subscriptions: [ROOT_URI] });
      const ran = world.moorageWith({ env }, 'run', '/say the answer');
      await watcher.notification('root/sessionSummaryChanged', ({ changes }) => changes.activity === PROGRESS);
      look.release();
      expect(await ran).toMatchObject({ code: 0, out: expect.stringContaining('the answer') });
      expect((await ran).err).not.toContain('Reading');
    } finally {
      await world.end();
    }
  });

  inBrowser('says how far that is in the place of the answer', async (on) => {
    const folder = siteFolder();
    if (folder === undefined) throw new Error('the page was not built');
    await start({ http: webPage(folder) });
    const { page, complaints } = await on.page(`${host.url.replace('ws:', 'http:')}#token=${host.token}`);
    await newSession(page);
    await say(page, '/say the answer');
    const working = page.getByRole('article', { name: 'Turn' }).locator('.working');
    await working.getByText(PROGRESS, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    look.release();
    await page.locator('.markdown', { hasText: 'the answer' }).waitFor();
    await page.getByText(PROGRESS).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});

it('no agent is opened for a turn that was stopped while it waited for that look', async () => {
  const agent = testAgent();
  await start({ agents: [agent] });
  const client = await host.client();
  const { chat } = await host.session(client, { provider: 'test' });
  const turnId = 'stopped';
  await accepted(client, chat, {
    type: 'chat/turnStarted',
    startedAt: '2026-01-01T00:00:00.000Z',
    turnId,
    message: userMessage('Work'),
  });
  await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId });
  look.release();
  await host.restart(); // which waits for whatever is still done for the turn
  expect(agent.opened).toEqual([]);
});

it('a session that nobody watches stays in memory until that look has ended, and gets what it found', async () => {
  await start();
  const client = await host.client({ subscriptions: [ROOT_URI] });
  const session = host.newSessionUri();
  const activity = (wanted: string | undefined) =>
    client.notification(
      'root/sessionSummaryChanged',
      ({ changes }) => 'activity' in changes && changes.activity === wanted,
    );
  await client.request('createSession', {
    channel: session,
    provider: 'demo',
    workingDirectories: [host.workspaceUri],
  });
  await activity(PROGRESS);
  host.host.unloadIdle();
  look.release();
  const state = await client.subscribe<SessionState>(session);
  if (!state.changesets) await client.action(session, 'session/changesetsChanged');
  expect((await client.subscribe<SessionState>(session)).activity).toBeUndefined();
});
