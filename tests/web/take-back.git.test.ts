import { type Client, connect, when } from '@moorage/client';
import { changesetUri } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeFilesBack } from '../../packages/web/src/chat/take-back.js';
import { ChangesBench } from '../support/changes-bench.js';

let bench: ChangesBench;
let client: Client;
beforeEach(async () => {
  bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': 'one\ntwo\nthree\n' }) });
  client = await connect({ url: bench.host.url, token: bench.host.token });
});
afterEach(async () => {
  client.close();
  await bench.dispose();
});

it("sending a chat's first message again takes back the files of that chat, not of others, nor the user's", async () => {
  const other = bench.host.newChatUri();
  await bench.client.request('createChat', { channel: bench.session, chat: other });
  const send = async (uri: string, text: string) => {
    const chat = await client.chat(uri);
    await (await chat.send(`/auto on\n${text}`)).finished();
    return chat;
  };
  await send(bench.chat, '/replace a.txt one => ONE\n/write theirs.txt theirs');
  const chat = await send(other, '/replace a.txt three => THREE');
  await send(other, '/write mine.txt mine');
  bench.write('user.txt', 'user\n');
  await when(chat, ({ changesets }) =>
    changesets?.find(({ changeKind, files }) => changeKind === 'chat' && files === 2),
  );
  await takeFilesBack(client, chat, chat.confirmed.turns[0]?.id ?? '');
  const others = { 'theirs.txt': '- theirs', 'user.txt': '- user\n' };
  expect(bench.tree()).toEqual({ 'a.txt': '- ONE\ntwo\nthree\n', ...others });
  await bench.invoke(changesetUri(bench.session, { kind: 'chat', chat: other }), 'undo');
  expect(bench.tree()).toEqual({ 'a.txt': '- ONE\ntwo\nTHREE\n', 'mine.txt': '- mine', ...others });
});

it('sending a later message again takes back what this chat did since; lines of another chat and of the user stay', async () => {
  const other = bench.host.newChatUri();
  await bench.client.request('createChat', { channel: bench.session, chat: other });
  bench.write('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
  const send = async (uri: string, text: string) => {
    const chat = await client.chat(uri);
    await (await chat.send(`/auto on\n${text}`)).finished();
    return chat;
  };
  await send(bench.chat, '/replace a.txt one => ONE');
  await send(bench.chat, '/replace a.txt two => TWO\n/write made.txt made');
  await send(other, '/replace a.txt three => THREE\n/write theirs.txt theirs');
  bench.write('a.txt', bench.read('a.txt').replace('four', 'FOUR'));
  const chat = await send(bench.chat, '/replace a.txt five => FIVE');
  bench.write('user.txt', 'user\n');
  await when(chat, ({ changesets }) =>
    changesets?.find(({ changeKind, files }) => changeKind === 'chat' && files === 2),
  );
  const before = bench.tree();
  const said = await takeFilesBack(client, chat, chat.confirmed.turns[1]?.id ?? '');
  expect(said).toBe('Reverted 2 files.');
  const others = { 'theirs.txt': '- theirs', 'user.txt': '- user\n' };
  expect(bench.tree()).toEqual({ 'a.txt': '- ONE\ntwo\nTHREE\nFOUR\nfive\n', ...others });
  await bench.invoke(changesetUri(bench.session, { kind: 'chat', chat: bench.chat }), 'undo');
  expect(bench.tree()).toEqual(before);
});

it('leaves a hunk that the user has overwritten, and says so; a message that changed no file is no obstacle', async () => {
  const chat = await client.chat(bench.chat);
  const send = async (text: string) => (await chat.send(`/auto on\n${text}`)).finished();
  await send('/write other.txt other');
  await send('/replace a.txt one => ONE');
  bench.write('a.txt', 'mine\ntwo\nthree\n');
  await send('/replace a.txt three => THREE');
  await send('hello');
  const before = bench.tree();
  const turns = chat.confirmed.turns.map(({ id }) => id);
  expect(await takeFilesBack(client, chat, turns[3] ?? '')).toBe('Nothing has changed since.');
  expect(bench.tree()).toEqual(before);
  const said = await takeFilesBack(client, chat, turns[1] ?? '');
  expect(said).toContain('Somebody else may have made changes of a.txt');
  expect(bench.tree()).toEqual({ ...before, 'a.txt': '- mine\ntwo\nthree\n' });
  const again = await takeFilesBack(client, chat, turns[1] ?? '');
  expect(again).toContain('Nothing was changed. Somebody else may have made changes of a.txt');
});

it('refuses a turn that is missing, or of another chat', async () => {
  const other = bench.host.newChatUri();
  await bench.client.request('createChat', { channel: bench.session, chat: other });
  const turn = await bench.turn('/write mine.txt mine');
  const uri = changesetUri(bench.session, { kind: 'chat', chat: other });
  for (const meta of [undefined, { 'moorage.turn': turn }, { 'moorage.turn': 1 }]) {
    const { code, message } = await bench.refused(uri, 'revert-since', undefined, meta);
    expect([code, message]).toEqual([-32602, expect.stringContaining('expected the id of a turn of this chat')]);
  }
  expect(bench.has('mine.txt')).toBe(true);
});
