import { randomUUID } from 'node:crypto';
import { turnStarted } from '@moorage/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LISTS_NEW_SESSIONS_ONLY, LONG, VscodeBench } from './support/bench.js';

/** Sessions that VS Code shares with our own programs. */
let vscode: VscodeBench;
beforeAll(async () => {
  vscode = await VscodeBench.start();
  if (LISTS_NEW_SESSIONS_ONLY) await vscode.choose('Demo'); // by which the host learns how the window names its folder
});
afterAll(() => vscode?.end());

it('lists and opens a session of our command line (V-44)', async () => {
  vscode.moorage('run', '--yes', '/title Made elsewhere\n/write elsewhere.txt Hello\n/say from the command line');
  await vscode.showSessions();
  await vscode.openSession('Made elsewhere');
  await vscode.shows('from the command line');
  await vscode.picture('session-of-cli');
});

it('shows a turn of another client while it runs, and sends the next (V-46)', async () => {
  const client = await vscode.client();
  const { items } = await client.request('listSessions', { channel: 'ahp-root://' });
  const session = await client.session(items[0]?.resource ?? '');
  const chat = await client.chat(session.confirmed.defaultChat ?? '');
  await chat.dispatch(turnStarted(randomUUID(), { text: '/say live\n/ask Go on? | yes', origin: { kind: 'user' } }));
  await vscode.shows('live');
  await vscode.option('yes').click();
  await expect.poll(() => chat.confirmed.activeTurn, LONG).toBeUndefined();
  await vscode.shows('You answered: yes');
  await vscode.idle();
  await vscode.picture('turn-of-another');
  await vscode.send('/say and back');
  await expect.poll(() => chat.confirmed.turns.length, LONG).toBe(3);
  await vscode.idle();
});

it('keeps what is typed while its draft is stored (V-47)', async () => {
  // VS Code sends drafts of sessions that it has opened, not of those that it has made in the same window.
  await vscode.type('a draft that must stay');
  await expect.poll(() => vscode.wire.received('chat/draftChanged').length, LONG).toBeGreaterThan(0);
  await vscode.picture('draft');
  expect(await vscode.typed()).toContain('a draft that must stay');
});

it('met nothing that the host refused, and nothing that it could not show', () => {
  expect(vscode.complaints).toEqual([]);
});
