import type { ChangesetFile, ChangesetState, ChatState, SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { userMessage } from '../support/test-host.js';

/** Twenty lines, so that changes of different lines do not touch. */
const LINES = Array.from({ length: 20 }, (_, line) => `line ${line}`);

let bench: ChangesBench;
let other: string;

beforeEach(async () => {
  bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': text() }) });
  other = bench.host.newChatUri();
  await bench.client.request('createChat', { channel: bench.session, chat: other });
  await bench.client.subscribe(other);
});
afterEach(() => bench.dispose());

function text(changed: Readonly<Record<number, string>> = {}): string {
  return LINES.map((line, at) => `${changed[at] ?? line}\n`).join('');
}

/** Runs a turn in a chat to its end. */
async function turn(chat: string, turnId: string, script: string): Promise<void> {
  start(chat, turnId, script);
  await bench.client.envelope(
    (e) => e.channel === chat && e.action.type === 'chat/turnComplete' && e.action.turnId === turnId,
  );
}

function start(chat: string, turnId: string, script: string): void {
  const message = userMessage(`/auto on\n${script}`);
  bench.client.dispatch(chat, { type: 'chat/turnStarted', startedAt: '2026-01-01T00:00:00.000Z', turnId, message });
}

async function shown({ files }: ChangesetState, name = 'a.txt') {
  const file = files.find(({ id }) => id.endsWith(`/${name}`)) as ChangesetFile;
  const side = (it: { content: { uri: string } } | undefined) => it && bench.text(it.content.uri);
  return { before: await side(file.edit.before), after: await side(file.edit.after), diff: file.edit.diff };
}

/** The URI of what a chat changed, from its own catalogue, once that has these counts. */
async function published(chat: string, counts: { additions: number; deletions: number; files: number }) {
  const wanted = expect.objectContaining({ changeKind: 'chat', capabilities: { review: {} }, ...counts });
  for (;;) {
    const seen = bench.client.envelopes.length;
    const { changesets } = await bench.client.subscribe<ChatState>(chat);
    const entry = changesets?.find(({ changeKind }) => changeKind === 'chat');
    if (entry && wanted.asymmetricMatch(entry)) return entry.uriTemplate;
    await bench.client.envelope(() => bench.client.envelopes.length > seen);
  }
}

describe("a chat's changeset", () => {
  it('has what its turns changed, without the other chat, with counts in catalogue and lists', async () => {
    await turn(bench.chat, 'one', '/replace a.txt line 2 => first');
    await turn(other, 'two', '/replace a.txt line 9 => second\n/write new.txt new');
    await turn(bench.chat, 'three', '/replace a.txt line 16 => third');
    const mine = await published(bench.chat, { additions: 2, deletions: 2, files: 1 });
    const theirs = await published(other, { additions: 2, deletions: 1, files: 2 });
    expect(await shown(await bench.changeset(mine))).toEqual({
      before: text({ 9: 'second' }),
      after: text({ 2: 'first', 9: 'second', 16: 'third' }),
      diff: { added: 2, removed: 2 },
    });
    expect((await bench.changeset(theirs)).files.map(({ id }) => id)).toEqual([
      bench.fileUri('a.txt'),
      bench.fileUri('new.txt'),
    ]);
    const { chats } = await bench.client.subscribe<SessionState>(bench.session);
    expect(chats.map(({ changes }) => changes)).toEqual([
      { additions: 2, deletions: 2, files: 1 },
      { additions: 2, deletions: 1, files: 2 },
    ]);
    const { items } = await bench.client.request('listSessions', { channel: 'ahp-root://' });
    expect(items.find(({ resource }) => resource === bench.session)?.chats?.[1]?.changes?.files).toBe(2);
  });

  it('is offered before the first turn, follows a turn that runs, and can be reverted and undone', async () => {
    const uri = await published(other, { additions: 0, deletions: 0, files: 0 });
    expect((await bench.changeset(uri)).files).toEqual([]);
    await turn(bench.chat, 'one', '/replace a.txt line 2 => first');
    start(other, 'two', '/replace a.txt line 9 => second\n/ask Ready?\n/say done');
    await bench.changeset(uri, ({ files }) => files[0]?.edit.diff?.added === 1);
    const { request } = await bench.client.action(other, 'chat/inputRequested');
    bench.client.dispatch(other, { type: 'chat/inputCompleted', requestId: request.id, response: 'cancel' });
    await published(other, { additions: 1, deletions: 1, files: 1 });
    const whole = bench.tree();
    await bench.invoke(uri, 'revert');
    expect(bench.read('a.txt')).toBe(text({ 2: 'first' }));
    await published(other, { additions: 0, deletions: 0, files: 0 });
    await bench.expectUndo(uri, whole);
    await published(other, { additions: 1, deletions: 1, files: 1 });
    await bench.comeBack();
    expect(await shown(await bench.changeset(uri))).toMatchObject({ before: text({ 2: 'first' }) });
  });

  it('keeps what a truncated turn changed, and ends with the chat', async () => {
    await turn(other, 'one', '/replace a.txt line 2 => first');
    await turn(other, 'two', '/replace a.txt line 9 => second');
    bench.client.dispatch(other, { type: 'chat/truncated', turnId: 'one' });
    const uri = await published(other, { additions: 2, deletions: 2, files: 1 });
    await bench.changeset(uri);
    await bench.client.request('disposeChat', { channel: other });
    await bench.client.action(uri, 'changeset/disposed');
    expect(await bench.client.refused('subscribe', { channel: uri })).toMatchObject({ code: -32008 });
    const { files } = await bench.changeset(bench.uri({ kind: 'session' }));
    expect(files[0]?.edit.diff).toEqual({ added: 2, removed: 2 });
  });

  it('is unknown to clients of 0.9, which see the rest', async () => {
    const older = await bench.host.client({ versions: ['0.9.0'] });
    await older.subscribe(bench.session);
    expect(await older.subscribe(other)).not.toHaveProperty('changesets');
    await turn(other, 'one', '/replace a.txt line 2 => first');
    await published(other, { additions: 1, deletions: 1, files: 1 });
    await older.envelope((e) => e.channel === bench.session && e.action.type === 'session/changesetsChanged');
    expect(older.envelopes.map(({ action }) => action.type)).not.toContain('chat/changesetsChanged');
    const { chats } = await older.subscribe<SessionState>(bench.session);
    expect(chats[1]).not.toHaveProperty('changes');
    expect(await older.subscribe(other)).not.toHaveProperty('changes');
  });
});
