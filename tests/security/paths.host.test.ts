import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AhpErrorCodes, JsonRpcErrorCodes, ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { turn } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

/** The folder of the host and others beside it, whose names differ only in case or in how a letter is written. */
let base: string;
let host: TestHost;
let client: WireClient;
const CONTENT = 'what nobody may read';
const OTHERS = ['Caf\u00e9', 'cafe\u0301', 'CAF\u00c9', 'café-2', 'outside'];

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-security-')));
  const workspace = join(base, 'caf\u00e9');
  mkdirSync(workspace);
  for (const name of OTHERS) {
    mkdirSync(join(base, name));
    writeFileSync(join(base, name, 'secret'), CONTENT);
  }
  writeFileSync(join(workspace, 'mine'), 'what it may read');
  symlinkSync('/proc/self', join(workspace, 'self'));
  symlinkSync('/proc/self/root', join(workspace, 'everything'));
  symlinkSync('/dev/fd', join(workspace, 'fd'));
  symlinkSync('../outside', join(workspace, 'out'));
  host = await TestHost.start({ workspace });
  client = await host.client();
});
afterEach(async () => {
  await host.dispose();
  rmSync(base, { recursive: true, force: true });
});

const uri = (path: string) => pathToFileURL(join(base, path)).href;

function escapes(): string[] {
  const root = host.workspaceUri;
  const proc = ['self/environ', 'self/root/etc/passwd', 'self/cwd/../outside/secret', 'self/fd/0', '1/environ'];
  const inside = ['self/environ', 'everything/etc/passwd', 'fd/0', 'out/secret', '../outside/secret'];
  const encoded = [
    '%2e%2e/outside/secret',
    '%2E./outside/secret',
    'out%2Fsecret',
    '..%2foutside%2fsecret',
    'mine%00/../../outside/secret',
  ];
  return [
    ...OTHERS.map((name) => uri(`${name}/secret`)),
    ...proc.map((path) => `file:///proc/${path}`),
    ...[...inside, ...encoded].map((path) => `${root}/${path}`),
    `${root}/./../outside/secret`,
    `${root}//../outside/secret`,
    `${root}/..;/outside/secret`,
    `${root}/\u2025/outside/secret`, // a two-dot leader, which some normalisations turn into two dots
    `${root}/..\\outside\\secret`,
    `file://localhost${base}/outside/secret`,
    `FILE://${base}/outside/secret`,
    `file:${base}/outside/secret`,
  ];
}

/** Refused because it is not allowed, is no URI of a file, or is a name inside of the root that nothing has. */
const REFUSALS: ReadonlySet<number> = new Set([
  AhpErrorCodes.PermissionDenied,
  AhpErrorCodes.NotFound,
  JsonRpcErrorCodes.InvalidParams,
  JsonRpcErrorCodes.InvalidRequest,
]);

describe('a path that leads out of the folder', () => {
  it('by /proc, case, Unicode, links or encodings reaches nothing, whatever is done with it', async () => {
    const before = picture();
    for (const given of escapes()) {
      const attempts: [string, object][] = [
        ['resourceRead', { uri: given }],
        ['resourceList', { uri: given.replace(/\/[^/]*$/, '') }],
        ['resourceResolve', { uri: given }],
        ['resourceCopy', { source: given, destination: `${host.workspaceUri}/stolen` }],
        ['resourceMove', { source: given, destination: `${host.workspaceUri}/stolen` }],
        ['createResourceWatch', { uri: given }],
      ];
      for (const [method, params] of attempts) {
        const isRoot =
          method === 'resourceList' &&
          new URL((params as { uri: string }).uri).pathname === new URL(host.workspaceUri).pathname;
        if (isRoot) continue; // the folder itself is what a client may list
        const { code } = await client.refused(method, { channel: ROOT_URI, ...params });
        expect(REFUSALS.has(code), `${method} ${given} was answered with ${code}`).toBe(true);
      }
      const written = await client.peer
        .request('resourceWrite', { channel: ROOT_URI, uri: given, data: 'evil', encoding: 'utf-8' })
        .then(
          () => true,
          () => false,
        );
      // A name that only looks like an escape may be made inside; nothing outside may change.
      if (written) expect(readdirSync(host.workspace, { recursive: true }).length).toBeGreaterThan(0);
      await client.peer.request('resourceDelete', { channel: ROOT_URI, uri: given, recursive: true }).catch(() => {});
    }
    expect(picture()).toEqual(before);
    expect(readdirSync(host.workspace)).not.toContain('stolen');
  });

  it('is no folder for a session or a terminal either', async () => {
    for (const name of [...OTHERS, 'caf\u00e9/out', 'caf\u00e9/everything', 'caf\u00e9/self/cwd']) {
      const { code } = await client.refused('createSession', {
        channel: host.newSessionUri(),
        provider: 'demo',
        workingDirectories: [uri(name)],
      });
      const isTheFolderItself = name.endsWith('self/cwd');
      if (!isTheFolderItself) expect(code, name).toBe(AhpErrorCodes.PermissionDenied);
      await client.refused('createTerminal', {
        channel: `ahp-terminal:/${crypto.randomUUID()}`,
        claim: { kind: 'client', clientId: client.clientId },
        cwd: uri(name),
      });
    }
  });

  it('is none for an agent', async () => {
    const before = picture();
    const { chat } = await host.session(client);
    const steps = [
      '../outside/secret',
      'out/secret',
      'everything/tmp/x',
      `${base}/outside/secret`,
      `../Caf\u00e9/secret`,
    ];
    await turn(client, chat, '/auto on\n/read mine');
    expect(JSON.stringify(client.actionsOn(chat))).toContain('what it may read'); // it would be seen
    for (const path of steps) {
      // One at a time: the first that fails ends a turn.
      for (const step of [`/read ${path}`, `/write ${path} evil`, `/append ${path} evil`, `/delete ${path}`])
        await turn(client, chat, step);
    }
    expect(picture()).toEqual(before);
    expect(JSON.stringify(client.actionsOn(chat))).not.toContain(CONTENT);
  });
});

function picture(): string[] {
  return OTHERS.flatMap((name) =>
    readdirSync(join(base, name)).map((file) => `${name}/${file} ${readFileSync(join(base, name, file), 'utf8')}`),
  );
}
