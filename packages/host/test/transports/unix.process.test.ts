import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { listenUnixSocket, type UnixListenerOptions } from '../../src/adapters/transport-unix/index.js';
import { type Incoming, ListenError, type Listener } from '../../src/ports/index.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { RecordingLog } from '../../src/testing/recording-log.js';
import { soon } from './support/waiting.js';

let folder: string;
let path: string;
let incoming: Incoming[];
let received: string[];
const listeners: Listener[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moorage-unix-'));
  path = join(folder, 'host.sock');
  incoming = [];
  received = [];
});
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
  await rm(folder, { recursive: true });
});

async function listen(overrides: Partial<UnixListenerOptions> = {}): Promise<Listener> {
  const onClient = (client: Incoming) => {
    incoming.push(client);
    client.transport.onMessage((text) => received.push(text));
  };
  const listener = await listenUnixSocket({ path, onClient, clock: nodeClock, log: new RecordingLog(), ...overrides });
  listeners.push(listener);
  return listener;
}

function open(): { socket: Socket; closed: Promise<void> } {
  const socket = connect(path);
  socket.on('error', () => {});
  socket.resume();
  return { socket, closed: new Promise((resolve) => socket.on('close', () => resolve())) };
}

describe('the socket file', () => {
  it('can be opened by its owner only, whatever the umask, and leaves its folder as it is', async () => {
    await chmod(folder, 0o755);
    const umask = process.umask(0);
    const listener = await listen().finally(() => process.umask(umask));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o755);
    expect(await readdir(folder)).toEqual(['host.sock']);
    expect(listener.address).toBe(path);
    await listener.close();
    expect(await readdir(folder)).toEqual([]);
  });

  it('of a process that was killed is replaced', async () => {
    const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    await new Promise((resolve) => spawn(process.execPath, ['-e', script]).on('exit', resolve));
    expect((await stat(path)).isSocket()).toBe(true);
    await listen();
    const { socket } = open();
    await soon(() => expect(incoming.map(({ credential }) => credential)).toEqual(['local']));
    socket.destroy();
  });

  it('that another process listens on is refused and left alone', async () => {
    const other = createServer((socket) => socket.on('error', () => {}).end('other'));
    await new Promise<void>((resolve) => other.listen(path, resolve));
    const refused = await listen().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ListenError);
    const message = `cannot listen on ${path}: another process listens there`;
    expect(refused).toMatchObject({ kind: 'in-use', message });
    const answer = new Promise((resolve) => connect(path).on('data', (data) => resolve(String(data))));
    expect(await answer).toBe('other');
    await new Promise((resolve) => other.close(resolve));
  });

  it('is never made in the place of something else', async () => {
    await writeFile(path, 'precious');
    await expect(listen()).rejects.toMatchObject({ kind: 'in-use', message: expect.stringContaining('not a socket') });
    await symlink('nowhere', join(folder, 'link'));
    await expect(listen({ path: join(folder, 'link') })).rejects.toMatchObject({ kind: 'in-use' });
    expect((await readdir(folder)).sort()).toEqual(['host.sock', 'link']);
  });

  it('needs a folder that is there and a path that fits', async () => {
    const missing = join(folder, 'missing', 'host.sock');
    await expect(listen({ path: missing })).rejects.toMatchObject({ kind: 'bad-options', message: /does not exist/ });
    const long = join(folder, 'x'.repeat(100));
    await expect(listen({ path: long })).rejects.toMatchObject({ kind: 'bad-options', message: /longer than/ });
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not deleted when it has become another one', async () => {
    const first = await listen();
    await rm(path);
    await listen();
    await first.close();
    expect(await readdir(folder)).toEqual(['host.sock']);
  });
});

describe('clients', () => {
  it('may cut lines, send CRLF and empty lines, and get nothing delivered of a last half line', async () => {
    await listen();
    const { socket, closed } = open();
    const text = Buffer.from('{"a":"ä😀"}\r\n\n\r\n{"b":1}\n{"half":');
    for (const byte of text) await new Promise((resolve) => socket.write(Buffer.from([byte]), resolve));
    await soon(() => expect(received).toEqual(['{"a":"ä😀"}', '{"b":1}']));
    socket.end();
    await closed;
    expect(received.length).toBe(2);
  });

  it.each([
    ['too long, with its end', Buffer.from(`${'x'.repeat(101)}\n`), 1009],
    ['too long, without end', Buffer.from('x'.repeat(200)), 1009],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), 1007],
  ])('are closed for a line that is %s', async (_name, bytes, code) => {
    await listen({ limits: { maxLineBytes: 100 } });
    const { socket, closed } = open();
    await soon(() => expect(incoming.length).toBe(1));
    const told = new Promise((resolve) => incoming[0]?.transport.onClose(resolve));
    socket.write(`${'y'.repeat(100)}\r\n`);
    socket.write(bytes);
    socket.write('"behind"\n');
    expect(await told).toEqual({ code, reason: expect.any(String) });
    await closed;
    expect(received).toEqual(['y'.repeat(100)]);
  });

  it('that are too many are turned away', async () => {
    await listen({ limits: { maxConnections: 1 } });
    const first = open();
    await soon(() => expect(incoming.length).toBe(1));
    await open().closed;
    first.socket.destroy();
    expect(incoming.length).toBe(1);
  });

  it('that do not go when the host stops are cut after the grace', async () => {
    const timers = new ManualClock();
    const listener = await listen({ clock: timers });
    const { socket } = open();
    await soon(() => expect(incoming.length).toBe(1));
    socket.pause();
    incoming[0]?.transport.send('x'.repeat(5_000_000));
    let done = false;
    const stopped = listener.close().then(() => {
      done = true;
    });
    timers.advance(1_999);
    // The file is gone before the clients are, so that the next host can start.
    await soon(async () => expect(await readdir(folder)).toEqual([]));
    expect(done).toBe(false);
    timers.advance(1);
    await stopped;
    expect(timers.waiting).toBe(0);
    socket.destroy();
  });
});
