import { type Client, connect, when } from '@moorage/client';
import { changesetUri } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { restoreFilesBefore } from '../../packages/web/src/chat/take-back.js';
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
  const session = (await client.session(bench.session)).confirmed;
  await when(chat, ({ changesets }) =>
    changesets?.find(({ changeKind, files }) => changeKind === 'chat' && files === 2),
  );
  await restoreFilesBefore(client, session, chat, chat.confirmed.turns[0]?.id ?? '');
  const others = { 'theirs.txt': '- theirs', 'user.txt': '- user\n' };
  expect(bench.tree()).toEqual({ 'a.txt': '- ONE\ntwo\nthree\n', ...others });
  await bench.invoke(changesetUri(bench.session, { kind: 'chat', chat: other }), 'undo');
  expect(bench.tree()).toEqual({ 'a.txt': '- ONE\ntwo\nTHREE\n', 'mine.txt': '- mine', ...others });
});
