import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ChangesetState, changesetUri, type SessionState } from '@moorage/protocol';
import { afterEach, expect, it } from 'vitest';
import { rewrittenUri } from '../support/rewritten-uri.js';
import { run } from '../support/run-from-small-process.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

let host: TestHost;
afterEach(() => host.dispose());

/** The uncommitted changes in a repository after these files were written. */
async function uncommitted(files: Readonly<Record<string, string | Buffer>>) {
  host = new TestHost({
    workspaces: workspacesIn,
  });
  run('git', ['init', '-q', host.workspace]);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(host.workspace, path)), { recursive: true });
    writeFileSync(join(host.workspace, path), content);
  }
  await host.start();
  const client = await host.client();
  const made = await host.session(client);
  const { changesets } = await client.subscribe<SessionState>(made.session);
  if (!changesets) await client.action(made.session, 'session/changesetsChanged');
  const uri = changesetUri(made.session, { kind: 'uncommitted' });
  let state = await client.subscribe<ChangesetState>(uri);
  if (state.status === 'computing') {
    await client.envelope(
      (e) => e.channel === uri && e.action.type === 'changeset/statusChanged' && e.action.status !== 'computing',
    );
    state = await client.subscribe<ChangesetState>(uri);
  }
  return { client, state };
}

async function content(client: WireClient, uri: string | undefined): Promise<Buffer> {
  const { data, encoding } = await client.request('resourceRead', { channel: 'ahp-root://', uri: uri ?? '' });
  return Buffer.from(data, encoding === 'base64' ? 'base64' : 'utf8');
}

it('gives every file the bytes it has, whatever its name', async () => {
  const files: Record<string, string | Buffer> = {
    'a b.txt': 'space\n',
    'q"uote': 'quote\n',
    'new\nline': 'line\n',
    'ünï/ço∂é': 'unicode\n',
    '-dash': 'dash\n',
    'ha#sh?que=1&x%20y': 'uri\n',
    'crlf.txt': 'a\r\nb\r\n',
    'no end': 'x',
    'bom.txt': '\ufeffwith a mark\n',
    'latin1.txt': Buffer.from([0x66, 0xfc, 0x72, 0x0a]),
    'data.bin': Buffer.from([0, 255, 13, 10, 0]),
    empty: '',
  };
  const { client, state } = await uncommitted(files);
  expect(state.status).toBe('ready');
  expect(new Set(state.files.map(({ id }) => id)).size).toBe(Object.keys(files).length);
  const seen: Record<string, string> = {};
  for (const { edit } of state.files) {
    const path = decodeURIComponent(new URL(edit.after?.uri ?? '').pathname).slice(host.workspace.length + 1);
    const uri = edit.after?.content.uri ?? '';
    seen[path] = (await content(client, uri)).toString('hex');
    // Clients show the name and the language of what they compare by the path, and may rewrite it (V-52, V-50).
    expect(uri.replace('ahp-file-version:/', 'file:///').split('?')[0]).toBe(edit.after?.uri);
    expect((await content(client, rewrittenUri(uri))).toString('hex')).toBe(seen[path]);
    const earlier = `ahp-file-version:/${uri.split('?')[1]?.replace('.', '/')}`; // without the path
    expect((await content(client, earlier)).toString('hex')).toBe(seen[path]);
  }
  expect(seen).toEqual(
    Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString('hex')])),
  );
});
