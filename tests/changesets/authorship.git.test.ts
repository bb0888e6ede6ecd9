import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangesetFile, ChangesetState, SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { userMessage } from '../support/test-host.js';

/** Twenty lines, so that changes of different lines do not touch. */
const LINES = Array.from({ length: 20 }, (_, line) => `line ${line}`);

let bench: ChangesBench;

beforeEach(async () => {
  bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': text() }) });
});
afterEach(() => bench.dispose());

/** The lines with some of them replaced. */
function text(changed: Readonly<Record<number, string>> = {}): string {
  return LINES.map((line, at) => `${changed[at] ?? line}\n`).join('');
}

/** Replaces a line as the user would, whatever else is in the file. */
function byHand(line: string, by: string, path = 'a.txt'): void {
  writeFileSync(join(bench.folder, path), bench.read(path).replace(`${line}\n`, `${by}\n`));
}

/** The file as a changeset shows it: contents and counts. */
async function shown(state: ChangesetState, name = 'a.txt') {
  const file = state.files.find(({ id }) => id.endsWith(`/${name}`)) as ChangesetFile;
  const side = (it: { content: { uri: string } } | undefined) => it && bench.text(it.content.uri);
  const { before, after, diff } = file.edit;
  return { before: await side(before), after: await side(after), diff, meta: file._meta };
}

async function secondChat(): Promise<string> {
  const other = bench.host.newChatUri();
  await bench.client.request('createChat', { channel: bench.session, chat: other });
  await bench.client.subscribe(other);
  return other;
}

function start(chat: string, turnId: string, script: string): void {
  const message = userMessage(`/auto on\n${script}`);
  bench.client.dispatch(chat, {
    type: 'chat/turnStarted',
    startedAt: '2026-01-01T00:00:00.000Z',
    turnId,
    message,
  });
}

const ended = (chat: string, turnId: string) =>
  bench.client.envelope(
    (e) => e.channel === chat && e.action.type === 'chat/turnComplete' && e.action.turnId === turnId,
  );

/** Answers the question that a turn of the chat waits with. */
async function goOn(chat: string): Promise<void> {
  const { request } = await bench.client.action(chat, 'chat/inputRequested');
  bench.client.dispatch(chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'cancel' });
}

async function summary() {
  const { changesets } = await bench.client.subscribe<SessionState>(bench.session);
  const entry = changesets?.find(({ changeKind }) => changeKind === 'session');
  return { additions: entry?.additions, deletions: entry?.deletions, files: entry?.files };
}

describe('what the user writes between two turns', () => {
  it('stands on both sides of the session, and stays when the session is reverted', async () => {
    await bench.turn('/replace a.txt line 2 => first');
    byHand('line 9', 'mine');
    await bench.turn('/replace a.txt line 16 => second');
    const uri = bench.uri({ kind: 'session' });
    const { before, after, diff } = await shown(await bench.changeset(uri));
    expect(before).toBe(text({ 9: 'mine' }));
    expect(after).toBe(text({ 2: 'first', 9: 'mine', 16: 'second' }));
    expect(diff).toEqual({ added: 2, removed: 2 });
    expect(await summary()).toEqual({ additions: 2, deletions: 2, files: 1 });
    const whole = bench.tree();
    await bench.invoke(uri, 'revert');
    expect(bench.read('a.txt')).toBe(text({ 9: 'mine' }));
    await bench.changeset(uri, ({ files }) => files.length === 0);
    await bench.expectUndo(uri, whole);
    await bench.changeset(uri, ({ files }) => files.length === 1);
    await expect.poll(summary).toEqual({ additions: 2, deletions: 2, files: 1 }); // an operation is answered before
  });

  it('stays when the agent created the file', async () => {
    await bench.turn('/write new.txt one\\n\\n\\n\\ntwo\\n');
    writeFileSync(join(bench.folder, 'new.txt'), 'one\n\nmine\n\n\ntwo\n');
    await bench.turn('/append new.txt three\\n');
    const uri = bench.uri({ kind: 'session' });
    await bench.changeset(uri);
    await bench.invoke(uri, 'revert');
    expect(bench.read('new.txt')).toBe('mine\n');
  });
});

describe('what the user writes while a turn runs', () => {
  it("is not the turn's in a file that the agent named, just before its call", async () => {
    start(bench.chat, 't', '/replace a.txt line 2 => first\n/ask Ready?\n/replace a.txt line 16 => second');
    await bench.client.action(bench.chat, 'chat/inputRequested');
    byHand('line 9', 'mine');
    await goOn(bench.chat);
    await ended(bench.chat, 't');
    for (const uri of [bench.turnUri('t'), bench.uri({ kind: 'session' })]) {
      const { before, after, diff } = await shown(await bench.changeset(uri));
      expect(before).toBe(text({ 9: 'mine' }));
      expect(after).toBe(text({ 2: 'first', 9: 'mine', 16: 'second' }));
      expect(diff).toEqual({ added: 2, removed: 2 });
    }
    await bench.invoke(bench.turnUri('t'), 'revert');
    expect(bench.read('a.txt')).toBe(text({ 9: 'mine' }));
  });

  it("is not the turn's in another file, within a second of a call", async () => {
    start(bench.chat, 't', '/replace a.txt line 2 => first\n/ask Ready?\n/say done');
    await bench.client.action(bench.chat, 'chat/inputRequested');
    bench.write('mine.txt', 'by hand\n');
    const uncommitted = bench.uri({ kind: 'uncommitted' });
    await bench.changeset(uncommitted, ({ files }) => files.length === 2);
    await goOn(bench.chat);
    await ended(bench.chat, 't');
    const { files } = await bench.changeset(bench.turnUri('t'));
    expect(files.map(({ id }) => id)).toEqual([bench.fileUri('a.txt')]);
  });

  it("is not the turn's after a command that changed the same file", async () => {
    start(bench.chat, 't', "/run sed -i 's/line 2$/first/' a.txt\n/ask Ready?\n/run sed -i 's/line 16$/second/' a.txt");
    await bench.client.action(bench.chat, 'chat/inputRequested');
    const uncommitted = bench.uri({ kind: 'uncommitted' });
    await bench.changeset(uncommitted, ({ files }) => files.length === 1);
    byHand('line 9', 'mine');
    await bench.changeset(uncommitted, ({ files }) => files[0]?.edit.diff?.added === 2);
    await goOn(bench.chat);
    await ended(bench.chat, 't');
    const { before, after } = await shown(await bench.changeset(bench.turnUri('t')));
    expect(after).toBe(text({ 2: 'first', 9: 'mine', 16: 'second' }));
    expect(before).toBe(text({ 9: 'mine' }));
  });
});

describe('two chats at once in one file', () => {
  it('each has its own line, and the session both', async () => {
    const other = await secondChat();
    start(bench.chat, 'one', '/ask Ready?\n/replace a.txt line 2 => first\n/ask Done?\n/say done');
    start(other, 'two', '/ask Ready?\n/replace a.txt line 16 => second\n/ask Done?\n/say done');
    await goOn(bench.chat);
    await bench.client.action(bench.chat, 'chat/inputRequested', 2);
    await goOn(other);
    const second = await bench.client.action(other, 'chat/inputRequested', 2);
    bench.client.dispatch(other, { type: 'chat/inputCompleted', requestId: second.request.id, response: 'cancel' });
    await ended(other, 'two');
    const first = await bench.client.action(bench.chat, 'chat/inputRequested', 2);
    bench.client.dispatch(bench.chat, {
      type: 'chat/inputCompleted',
      requestId: first.request.id,
      response: 'cancel',
    });
    await ended(bench.chat, 'one');
    const both = text({ 2: 'first', 16: 'second' });
    const session = await shown(await bench.changeset(bench.uri({ kind: 'session' })));
    expect(session).toEqual({ before: text(), after: both, diff: { added: 2, removed: 2 }, meta: undefined });
    expect(await summary()).toEqual({ additions: 2, deletions: 2, files: 1 });
    for (const turnId of ['one', 'two']) {
      const { diff, meta } = await shown(await bench.changeset(bench.turnUri(turnId)));
      expect({ diff, meta }).toEqual({ diff: { added: 1, removed: 1 }, meta: undefined });
    }
    await bench.invoke(bench.turnUri('one'), 'revert');
    expect(bench.read('a.txt')).toBe(text({ 16: 'second' }));
    await bench.invoke(bench.turnUri('one'), 'undo');
    await bench.invoke(bench.turnUri('two'), 'revert');
    expect(bench.read('a.txt')).toBe(text({ 2: 'first' }));
  });

  it('a change that either of two commands may have made is marked, and left unless it is named', async () => {
    const other = await secondChat();
    const gate = join(bench.host.folder, 'gate');
    const wait = `until [ -e ${gate} ]; do sleep 0.05; done`;
    start(bench.chat, 'one', `/replace a.txt line 2 => first\n/run ${wait}`);
    await bench.client.action(bench.chat, 'chat/toolCallReady', 2);
    start(other, 'two', "/run sed -i 's/line 16$/second/' a.txt");
    await ended(other, 'two');
    writeFileSync(gate, '');
    await ended(bench.chat, 'one');
    const span = { start: 16, count: 1 };
    const { meta } = await shown(await bench.changeset(bench.turnUri('one')));
    expect(meta).toEqual({
      'moorage.sharedWith': ['two'],
      'moorage.sharedHunks': [{ before: span, after: span, sharedWith: ['two'] }],
    });
    const session = await shown(await bench.changeset(bench.uri({ kind: 'session' })));
    expect(session.meta).toBeUndefined();
    expect(session.diff).toEqual({ added: 2, removed: 2 });
    const { message } = await bench.invoke(bench.turnUri('one'), 'revert');
    expect(message).toMatch(/Somebody else may have made changes of a.txt/);
    expect(bench.read('a.txt')).toBe(text({ 16: 'second' }));
    const refused = await bench.refused(bench.turnUri('two'), 'revert');
    expect(refused.message).toMatch(/^Nothing was changed. Somebody else may have made changes of a.txt/);
    await bench.invoke(bench.turnUri('two'), 'revert', bench.lines('a.txt', 16, 16));
    expect(bench.read('a.txt')).toBe(text());
  });

  it('what a sub-agent does is also what the turn did that it works for', async () => {
    await bench.turn('/spawn /replace a.txt line 2 => first');
    const { diff, meta } = await shown(await bench.changeset(bench.turnUri('turn-1')));
    expect({ diff, meta }).toEqual({ diff: { added: 1, removed: 1 }, meta: undefined });
    expect(await summary()).toEqual({ additions: 1, deletions: 1, files: 1 });
  });
});
