import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { annotationsUri, changesetUri, ExtensionMeta, isObject } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, choice, startTurn, turn, turnEnd } from '../support/actions.js';
import { userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { WorktreeBench } from '../support/worktree-bench.js';

it('every member of `_meta` that we add is listed in docs/PROTOCOL.md, and no other', () => {
  const page = readFileSync(new URL('../../docs/PROTOCOL.md', import.meta.url), 'utf8');
  const [, section = ''] = /### Members of `_meta`\n(.*?)\n### /s.exec(page) ?? [];
  const listed = [...section.matchAll(/^\|[^|]*\|([^|]*)\|/gm)].flatMap(
    ([, names = '']) => names.match(/\w+(?=`)/g) ?? [],
  );
  const names = [...new Set(listed)]; // one may mean something on several objects
  expect(names.map((name) => `moorage.${name}`).sort()).toEqual(Object.values(ExtensionMeta).sort());
});

describe('what the host adds to `_meta`', () => {
  let bench: WorktreeBench;
  let client: WireClient;
  beforeEach(async () => {
    bench = new WorktreeBench();
    bench.makeRepository();
    await bench.host.start();
    client = await bench.host.client();
  });
  afterEach(() => bench.host.dispose());

  it('has the prefix: in a session from its first message to its end', async () => {
    const { session, chat, path } = await bench.session(client);
    const turnId = await turn(client, chat, '/auto on\n/write made.txt one\\ntwo\\n\n/read made.txt');

    const asking = startTurn(client, chat, '/ask Which? | this | that');
    const { request } = await client.action(chat, 'chat/inputRequested');
    const message = userMessage('/say steered');
    await accepted(client, chat, { type: 'chat/pendingMessageSet', kind: 'steering', id: 's', message });
    await accepted(client, chat, choice(request, 'this'));
    await turnEnd(client, chat, asking);

    const channel = annotationsUri(session);
    await client.subscribe(channel);
    const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } };
    const resource = `file://${join(path, 'made.txt')}`;
    const annotation = {
      id: 'a',
      origin: { session, turnId },
      resource,
      range,
      resolved: false,
      entries: [{ id: 'e', text: 'Why?' }],
    };
    await accepted(client, channel, { type: 'annotations/set', annotation });
    await client.envelope(({ action, origin }) => action.type === 'annotations/set' && !origin);

    writeFileSync(join(path, 'data.bin'), Buffer.from([0, 1, 2]));
    symlinkSync('made.txt', join(path, 'link'));
    const uncommitted = changesetUri(session, { kind: 'uncommitted' });
    await client.subscribe(uncommitted);
    const invoke = (operationId: string) =>
      client.request('invokeChangesetOperation', { channel: uncommitted, operationId });
    await invoke('keep');
    await invoke('stage');
    await client.envelope((envelope) => metaIn(envelope).has(ExtensionMeta.staged));

    const complete = (text: string) =>
      client.request('completions', { channel: chat, kind: 'userMessage', text, offset: text.length });
    const offered = [await complete('@made'), await complete('/sa')];
    await client.request('disposeSession', { channel: session });
    await client.action(session, 'session/metaChanged');

    expect([...metaIn([client.envelopes, offered])].sort()).toEqual(
      [
        ExtensionMeta.anchor,
        ExtensionMeta.binary,
        ExtensionMeta.command,
        ExtensionMeta.createdAt,
        ExtensionMeta.description,
        ExtensionMeta.durationMs,
        ExtensionMeta.hint,
        ExtensionMeta.path,
        ExtensionMeta.staged,
        ExtensionMeta.steering,
        ExtensionMeta.symlink,
        ExtensionMeta.worktree,
        ...['argumentHint', 'command', 'git', 'toolKind'], // names of VS Code's (V-30, V-31, V-33)
      ].sort(),
    );
  });
});

/** The names of all members of all `_meta` objects in a value. */
function metaIn(value: unknown): Set<string> {
  const names = new Set<string>();
  const walk = (inner: unknown) => {
    if (Array.isArray(inner)) inner.forEach(walk);
    if (!isObject(inner)) return;
    for (const [name, member] of Object.entries(inner)) {
      if (name === '_meta' && isObject(member)) for (const key of Object.keys(member)) names.add(key);
      walk(member);
    }
  };
  walk(value);
  return names;
}
