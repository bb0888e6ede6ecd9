import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatState, PATIENT, turn } from '../support/actions.js';
import { FaultBench } from '../support/fault-host.js';
import { WireClient } from '../support/wire-client.js';

let bench: FaultBench;
beforeEach(() => {
  bench = new FaultBench();
});
afterEach(() => bench.dispose());

/** What a session says of why its changes are not tracked. */
async function problemOf(client: WireClient, session: string): Promise<unknown> {
  return (await client.subscribe<SessionState>(session))._meta?.['moorage.changesProblem'];
}

describe('without git', () => {
  /** A folder with all programs that a host may need, except git. */
  const pathWithout = (): string => {
    const bin = join(bench.folder, 'bin');
    mkdirSync(bin, { recursive: true });
    return bin;
  };

  it('that is missing, turns run all the same, and there are no changes to see', async () => {
    const path = pathWithout();
    expect(spawnSync('git', ['--version'], { env: { PATH: path } }).error).toBeDefined();
    const client = await bench.start({ PATH: path });
    const { session, chat } = await bench.session(client);
    await turn(client, chat, '/auto on\n/write made.txt hello\n/say done');
    expect(await problemOf(client, session)).toContain('git cannot be run; install it to see changes');
    expect((await chatState(client, chat)).turns).toMatchObject([{ state: 'complete' }]);
    expect(readFileSync(join(bench.workspace, 'made.txt'), 'utf8')).toBe('hello');
    await client.close();
  });

  it('that hangs and does not listen to signals, turns come to an end, and stopping leaves no process', async () => {
    const path = pathWithout();
    const pids = join(bench.folder, 'pids');
    const script = `#!/bin/sh\ntrap '' TERM INT\necho $$ >> ${pids}\nwhile :; do /bin/sleep 1; done\n`;
    writeFileSync(join(bench.folder, 'bin', 'git'), script);
    chmodSync(join(bench.folder, 'bin', 'git'), 0o755);
    const client = await bench.start({
      PATH: `${path}${delimiter}/usr/bin${delimiter}/bin`,
      MOORAGE_GIT_TIMEOUT_MS: '2000',
    });
    const { session, chat } = await bench.session(client);
    await turn(client, chat, '/say done');
    expect(await problemOf(client, session)).toContain('within 2 s');
    expect((await chatState(client, chat)).turns).toMatchObject([{ state: 'complete' }]);
    await client.request('ping', { channel: ROOT_URI });
    await client.close();
    expect(await bench.host?.stop()).toBe(0); // it is not waited for longer than a clean stop may take
    bench.host = undefined;
    const alive = () =>
      readFileSync(pids, 'utf8')
        .trim()
        .split('\n')
        .filter((pid) => spawnSync('kill', ['-0', pid]).status === 0);
    await expect.poll(alive, PATIENT).toEqual([]);
  });
});

describe('without file handles', () => {
  it('connections are refused or closed, those that are there go on, and it recovers', async () => {
    const client = await bench.start();
    const { chat } = await bench.session(client);
    await turn(client, chat, '/say before');
    const other = await bench.session(client); // its agent runs in a process that is not there yet
    const pid = String(bench.host?.pid);
    const used = readdirSync(`/proc/${pid}/fd`).length;
    execFileSync('prlimit', [`--nofile=${used + 3}:4096`, '--pid', pid]);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => rawSocket(bench.host?.url ?? '')));
    await turn(client, chat, '/say while there are none');
    await client.request('listSessions', { channel: ROOT_URI });
    for (const socket of sockets) socket.destroy();
    // Whichever handle is the one too many: of a socket, of a file, of a pipe to git or to an agent that has to be started.
    for (const spare of [0, 1, 2, 4, 6, 8, 11]) {
      execFileSync('prlimit', [`--nofile=${used + spare}:4096`, '--pid', pid]);
      await turn(client, chat, `/auto on\n/write spare.txt ${spare}`);
      await turn(client, other.chat, '/say hello');
      await client.request('ping', { channel: ROOT_URI });
    }
    execFileSync('prlimit', ['--nofile=4096:4096', '--pid', pid]);
    await turn(client, other.chat, '/say after');
    expect((await chatState(client, other.chat)).turns.at(-1)).toMatchObject({ state: 'complete' });
    const later = await bench.client();
    await later.request('ping', { channel: ROOT_URI });
    await turn(client, chat, '/auto on\n/write after.txt hello');
    expect(readFileSync(join(bench.workspace, 'after.txt'), 'utf8')).toBe('hello');
    const { turns } = await chatState(client, chat);
    expect([turns.length, turns[0]?.state, turns.at(-1)?.state]).toEqual([10, 'complete', 'complete']);
    await later.close();
    await client.close();
  });
});

describe('a socket that is cut', () => {
  it('at any byte of a dispatch: the action counts wholly or not at all, and the host goes on', async () => {
    const client = await bench.start();
    const { session } = await bench.session(client);
    const { url = '', token = '' } = bench.host ?? {};
    const action = (title: string) => ({ type: 'session/titleChanged', title });
    const frameOf = (title: string) =>
      masked(
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'dispatchAction',
          params: { channel: session, clientSeq: 1, action: action(title) },
        }),
      );
    const { length } = frameOf('cut-000');
    for (let at = 0; at <= length; at++) {
      const title = `cut-${String(at).padStart(3, '0')}`;
      const socket = await upgraded(url, token, `cutter-${at}`);
      socket.end(frameOf(title).subarray(0, at));
      await new Promise((resolve) => socket.once('close', resolve));
    }
    const last = `cut-${String(length).padStart(3, '0')}`;
    const titles = () =>
      client.actionsOn(session).flatMap((it) => (it.type === 'session/titleChanged' ? [it.title] : []));
    await client.until(() => (titles().length > 0 ? true : undefined), 'the whole one');
    await client.sync();
    expect(titles()).toEqual([last]);
    await client.close();
  });
});

function rawSocket(url: string): Promise<ReturnType<typeof connect>> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.once('connect', () => resolve(socket));
    socket.once('close', () => resolve(socket));
  });
}

/** A raw socket after the upgrade and the handshake, to write frames to byte by byte. */
async function upgraded(url: string, token: string, clientId: string): Promise<ReturnType<typeof connect>> {
  const client = await WireClient.connect({ url, token, clientId });
  return (client.socket as unknown as { _socket: ReturnType<typeof connect> })._socket;
}

/** A text as a masked frame, as a client sends it. */
function masked(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = Buffer.from([1, 2, 3, 4]);
  const header = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([header, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}
