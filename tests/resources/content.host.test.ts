import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoAgent } from '@moorage/agents/demo';
import { openSqliteStore } from '@moorage/host';
import { type ChatState, ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approval, callsOf, startTurn } from '../support/actions.js';
import { rewrittenUri } from '../support/rewritten-uri.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
beforeEach(async () => {
  agent = new GatedAgent();
  host = await TestHost.start({ agents: [demoAgent({ isolation: 'none' }), agent] });
  client = await host.client();
});
afterEach(() => host.dispose());

const read = (uri: string, encoding?: 'utf-8' | 'base64', from = client) =>
  from.request('resourceRead', { channel: ROOT_URI, uri, ...(encoding && { encoding }) });

/** Lets an agent store contents, and gives their URIs as its chat shows them. */
async function stored(...contents: (string | Uint8Array)[]): Promise<string[]> {
  return (await storedIn(await host.session(client, { provider: 'test' }), ...contents)).uris;
}

async function storedIn({ chat }: { chat: string }, ...contents: (string | Uint8Array)[]) {
  agent.next = async (run) => {
    for (const content of contents) run.emit({ kind: 'contentRef', content: run.storeContent(content, 'text/x-test') });
    return undefined;
  };
  const turnId = startTurn(client, chat, 'go');
  await client.action(chat, 'chat/turnComplete');
  const uris = client
    .actionsOn(chat)
    .flatMap((action) =>
      action.type === 'chat/responsePart' && action.part.kind === 'contentRef' ? action.part.uri : [],
    );
  return { turnId, uris };
}

it('the contents of an edit are named after its file, and are read however a client rewrites that (V-52, V-50)', async () => {
  const { session, chat } = await host.session(client);
  writeFileSync(join(host.workspace, 'a b:c.ts'), 'old');
  const turnId = startTurn(client, chat, '/write "a b:c.ts" new');
  const { toolCallId, edits } = await client.action(chat, 'chat/toolCallReady');
  client.dispatch(chat, approval(turnId, toolCallId));
  const { result } = await client.action(chat, 'chat/toolCallComplete');
  const done = result.content?.find((item) => item.type === 'fileEdit');
  for (const edit of [edits?.items[0], done]) {
    for (const [side, text] of [
      [edit?.before, 'old'],
      [edit?.after, 'new'],
    ] as const) {
      const uri = side?.content.uri ?? '';
      expect(uri.replace('ahp-content:/', 'file:///').split('?')[0]).toBe(side?.uri);
      const [id = ''] = uri.split('?').slice(1);
      for (const name of [uri, rewrittenUri(uri), `ahp-content:/${id}`]) {
        expect([name, (await read(name)).data]).toEqual([name, text]);
      }
    }
  }
  const fork = await host.session(client, { _meta: { 'moorage.fork': { session, turnId } } });
  const [copied] = (await client.subscribe<ChatState>(fork.chat)).turns;
  const [call] = callsOf(copied?.responseParts);
  const content = call && 'content' in call ? call.content : undefined;
  const copy = content?.find((item) => item.type === 'fileEdit')?.after;
  expect(copy?.content.uri).not.toBe(done?.after?.content.uri);
  expect(copy?.content.uri.split('?')[0]).toBe(done?.after?.content.uri.split('?')[0]);
  expect((await read(copy?.content.uri ?? '')).data).toBe('new');
});

it('the same content is stored once in a session, however many edits have it, and once more in another', async () => {
  const contents = (session: string) => {
    const store = openSqliteStore({ file: join(host.folder, 'store.sqlite') });
    const texts = store.documents.ofSession(session).map((json) => JSON.parse(json) as { data?: string });
    store.close();
    return texts.flatMap(({ data }) => data ?? []).toSorted();
  };
  const edit = async (chat: string, text: string, count = 1) => {
    const turnId = startTurn(client, chat, `/write a.txt ${text}`);
    const { toolCallId } = await client.action(chat, 'chat/toolCallReady', count);
    client.dispatch(chat, approval(turnId, toolCallId));
    await client.action(chat, 'chat/turnComplete', count);
  };
  writeFileSync(join(host.workspace, 'a.txt'), 'one');
  const [first, second] = [await host.session(client), await host.session(client)];
  for (const [at, text] of ['two', 'three', 'one'].entries()) await edit(first.chat, text, at + 1);
  await edit(second.chat, 'two');
  await host.stop();
  expect(contents(first.session)).toEqual(['one', 'three', 'two']);
  expect(contents(second.session)).toEqual(['one', 'two']);
  await host.start();
});

it('a fork has contents of its own, which outlive the session that it was made of (B-109)', async () => {
  const source = await host.session(client, { provider: 'test' });
  const { turnId, uris } = await storedIn(source, 'kept', Uint8Array.of(0, 255));
  const fork = await host.session(client, {
    provider: 'test',
    _meta: { 'moorage.fork': { session: source.session, turnId } },
  });
  await client.request('disposeSession', { channel: source.session });
  await host.stop();
  const store = openSqliteStore({ file: join(host.folder, 'store.sqlite') });
  expect(store.sessions.purge(Number.MAX_SAFE_INTEGER)).toBe(1);
  store.close();
  await host.start();
  client = await host.client();
  for (const uri of uris) {
    expect((await client.refused('resourceRead', { channel: ROOT_URI, uri })).code).toBe(-32008);
  }
  const { turns } = await client.subscribe<ChatState>(fork.chat);
  const copies = turns[0]?.responseParts.flatMap((part) => (part.kind === 'contentRef' ? part.uri : [])) ?? [];
  const contents = await Promise.all(copies.map((uri) => read(uri)));
  expect(contents.map(({ data }) => data)).toEqual(['kept', 'AP8=']);
});

describe('resourceRead of content that the host keeps', () => {
  it('shows both sides of an edit that waits for approval (B-166, B-187)', async () => {
    const { chat } = await host.session(client);
    writeFileSync(join(host.workspace, 'a.txt'), 'before\n');
    startTurn(client, chat, '/write a.txt after');
    const { edits } = await client.action(chat, 'chat/toolCallReady');
    const [edit] = edits?.items ?? [];
    const [before, after] = [edit?.before?.content, edit?.after?.content];
    expect(await read(before?.uri ?? '')).toMatchObject({ data: 'before\n', encoding: 'utf-8' });
    expect(await read(after?.uri ?? '')).toMatchObject({ data: 'after', encoding: 'utf-8' });
    expect([before?.sizeHint, after?.sizeHint]).toEqual([7, 5]);
  });

  it('gives text in either encoding, and what is no text as base64 (B-170)', async () => {
    const [text = '', bom = '', bytes = ''] = await stored('grüße', Buffer.from('\ufeffbom'), Uint8Array.of(0, 255, 7));
    expect(await read(text)).toEqual({ data: 'grüße', encoding: 'utf-8', contentType: 'text/x-test' });
    expect(await read(text, 'base64')).toMatchObject({
      data: Buffer.from('grüße').toString('base64'),
      encoding: 'base64',
    });
    expect(await read(bom, 'utf-8')).toMatchObject({ data: '\ufeffbom', encoding: 'utf-8' });
    for (const encoding of [undefined, 'utf-8', 'base64'] as const) {
      expect(await read(bytes, encoding)).toMatchObject({ data: 'AP8H', encoding: 'base64' });
    }
  });

  it('works after the host died, for whatever anybody was told of', async () => {
    const [uri = ''] = await stored('kept');
    const crashed = await host.afterCrash();
    expect(await read(uri, undefined, await crashed.client())).toMatchObject({ data: 'kept' });
    await crashed.dispose();
  });

  it('is refused for what is unknown, or not kept by the host (OQ-90, OQ-92)', async () => {
    const refused = async (uri: unknown) => (await client.refused('resourceRead', { channel: ROOT_URI, uri })).code;
    expect(await refused('ahp-content:/unknown')).toBe(-32008);
    for (const uri of ['ahp-content:/', 'ahp-content:/a/b', 'nonsense', '', 7]) {
      expect([uri, await refused(uri)]).toEqual([uri, -32602]);
    }
  });
});
