import { setTimeout } from 'node:timers/promises';
import { ROOT_URI, type TerminalState } from '@moorage/protocol';
import xterm from '@xterm/headless';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { FailingStore, holds } from '../support/failing-store.js';
import { OutputCounter } from '../support/output-counter.js';
import { isAlive } from '../support/processes.js';
import { TerminalView, textOf } from '../support/terminals.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

/** Megabytes that a program writes, many times what is kept; `npm run test:faults` asks for more. */
const MEGABYTES = Number(process.env.TERMINAL_MEGABYTES ?? 25);

let host: TestHost;
let client: WireClient;
beforeEach(async () => {
  host = await TestHost.start({ terminals: { shell: '/bin/sh' } });
  client = await host.client();
});
afterEach(() => host.dispose());

async function openFor(counter: OutputCounter): Promise<string> {
  const channel = `ahp-terminal:/${crypto.randomUUID()}`;
  await counter.request('createTerminal', { channel, claim: { kind: 'client', clientId: counter.clientId } });
  await counter.request('subscribe', { channel });
  return channel;
}

describe('a program that asks its terminal', () => {
  it('is answered once by the host, and no client sees the question, now or later', async () => {
    const first = await TerminalView.open(client, { cols: 80, rows: 24 });
    const other = await TerminalView.watch(await host.client(), first.uri);
    // Fish waits for the first, and others for where the cursor is.
    first.type(`stty raw -echo; printf 'ask\\033[c\\033[3;5H\\033[6n\\033]11;?\\007ed'; cat -v\r`);
    const answers = '^[[?1;2c^[[3;5R';
    await first.untilText(answers);
    await other.untilText(answers);
    first.type('then this');
    await first.untilText('then this');
    const late = await TerminalView.watch(await host.client(), first.uri);
    for (const { text } of [first, other, late]) {
      expect(text).toContain('ask\x1b[3;5Hed');
      expect(text.split('?1;2c')).toHaveLength(2);
      expect(text).not.toMatch(/\x1b\[(?:c|6n)|\x1b\]11/);
    }
  });
});

describe('a program that writes very much', () => {
  it(`(${MEGABYTES} MB) is followed to the last byte, in bounded memory, while others are served`, {
    timeout: 600_000,
  }, async () => {
    const counter = await OutputCounter.connect(host);
    const uri = await openFor(counter);
    const lines = MEGABYTES * 10_000; // of 100 bytes
    const line = 'x'.repeat(98);
    counter.dispatch(uri, {
      type: 'terminal/input',
      data: `stty -echo; yes ${line} | head -n ${lines}; echo the e''nd\r`,
    });
    let answered = 0;
    let done = false;
    const pinging = (async () => {
      for (; !done; answered++) {
        await client.sync();
        await setTimeout(5);
      }
    })();
    await counter.until(() => counter.tail.includes('the end\r\n'));
    done = true;
    await pinging;
    const around = counter.chars - lines * 100;
    expect(around).toBeGreaterThan(0);
    expect(around).toBeLessThan(2000); // the prompt, and what was typed
    expect(answered).toBeGreaterThan(MEGABYTES / 5); // it had a turn again and again
    const state = await client.subscribe<TerminalState>(uri);
    expect(JSON.stringify(state).length).toBeLessThan(1.5 * 1024 * 1024);
    expect(textOf(state).endsWith(counter.tail.slice(-2000))).toBe(true);
    await counter.close();
  });

  it('waits for a subscriber that is slow, and not for one that is stuck', async () => {
    const stuck = await OutputCounter.connect(host);
    const uri = await openFor(stuck);
    const counter = await OutputCounter.connect(host);
    await counter.request('subscribe', { channel: uri });
    stuck.dispatch(uri, { type: 'terminal/input', data: `yes ${'x'.repeat(98)}\r` });
    await counter.until(() => counter.chars > 100_000);
    stuck.socket.pause();
    // It is closed in the end (1013), and nobody else has noticed.
    await expect.poll(() => host.transports.length, PATIENT).toBe(3);
    let isGone = false;
    host.transports[1]?.onClose(() => {
      isGone = true;
    });
    await expect.poll(() => isGone, PATIENT).toBe(true);
    const before = counter.chars;
    await counter.until(() => counter.chars > before + 1_000_000);
    stuck.socket.terminate();
    await client.request('disposeTerminal', { channel: uri });
    await counter.close();
  });

  it('can be interrupted', async () => {
    const counter = await OutputCounter.connect(host);
    const uri = await openFor(counter);
    counter.dispatch(uri, { type: 'terminal/input', data: 'yes\r' });
    await counter.until(() => counter.chars > 1_000_000);
    counter.dispatch(uri, { type: 'terminal/input', data: '\x03' });
    counter.dispatch(uri, { type: 'terminal/input', data: "echo st''ill here\r" });
    await counter.until(() => counter.tail.includes('still here\r\n'));
    await counter.close();
  });

  it('and never reads what is typed costs no more than a bounded queue', async () => {
    const view = await TerminalView.open(client);
    view.type('stty raw -echo; echo rea""dy; sleep 600\r');
    await view.untilText('ready');
    for (let count = 0; count < 12; count++) view.type('x'.repeat(1024 * 1024));
    await client.sync();
    await client.request('disposeTerminal', { channel: view.uri });
  });
});

describe('a late subscriber', () => {
  /** The screen and the lines above it, with colours. */
  async function rendered(text: string, above: number): Promise<string[]> {
    const terminal = new xterm.Terminal({ cols: 80, rows: 24, scrollback: 100_000, allowProposedApi: true });
    await new Promise<void>((resolve) => terminal.write(text, resolve));
    const { active } = terminal.buffer;
    const lines = Array.from({ length: 24 + above }, (_, index) => {
      const line = active.getLine(active.length - 1 - index);
      let row = '';
      for (let column = 0; column < 80; column++) {
        const cell = line?.getCell(column);
        row += `${cell?.getChars() || ' '}${cell?.getFgColor()}`;
      }
      return row;
    });
    terminal.dispose();
    return lines;
  }

  it('sees on its screen what the others see, long after the start was dropped', async () => {
    const view = await TerminalView.open(client);
    const script =
      'i=0; while [ $i -lt 30000 ]; do printf "\\033[3$((i % 8))mline $i\\033[1m of a colourful text, still going on\\r\\n"; i=$((i+1)); done';
    view.type(`stty -echo; ${script}; printf '\\033[35mthe e''nd'\r`);
    await view.untilText('the end');
    const late = await TerminalView.watch(await host.client(), view.uri);
    await client.sync();
    expect(late.text.length).toBeLessThan(view.text.length);
    expect(await rendered(late.text, 500)).toEqual(await rendered(view.text, 500));
  });
});

describe('output while the store fails', () => {
  it('is told once it works again, all of it and in order', async () => {
    await host.dispose();
    const store = new FailingStore();
    host = await TestHost.start({ store: store.wrap, terminals: { shell: '/bin/sh' } });
    client = await host.client();
    const { session } = await host.session(client);
    const view = await TerminalView.open(client);
    store.fail(holds('session/titleChanged'));
    view.type("stty -echo; echo; seq 100000; echo the e''nd\r"); // the prompt may come after what is typed
    await client.sync(); // what is typed must not be lost
    for (let count = 0; count < 300; count++) {
      client.dispatch(session, { type: 'session/titleChanged', title: 'lost' });
      if (count % 3 === 0) await client.sync();
    }
    expect(store.failures).toBeGreaterThan(20);
    store.recover();
    await view.untilText('the end\r\n');
    const numbers = [...view.text.matchAll(/^(\d+)\r\n/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 100_000 }, (_, index) => index + 1));
    const state = await client.subscribe<TerminalState>(view.uri);
    expect(textOf(state)).toBe(view.text);
    host.errors.length = 0; // it could not store, as the test wanted
  });
});

describe('two hundred terminals at once', () => {
  it('all work, and all end', async () => {
    const views = await Promise.all(Array.from({ length: 200 }, () => TerminalView.open(client)));
    for (const [index, view] of views.entries()) view.type(`echo "number ${index} "pid $$\r`);
    const pids = await Promise.all(
      views.map((view, index) => view.until(() => new RegExp(`number ${index} pid (\\d+)`).exec(view.text)?.[1])),
    );
    expect(new Set(pids).size).toBe(200);
    const root = await client.subscribe<{ terminals: unknown[] }>(ROOT_URI);
    expect(root.terminals).toHaveLength(200);
    for (const view of views.slice(0, 100)) await client.request('disposeTerminal', { channel: view.uri });
    await host.stop();
    await expect.poll(() => pids.filter((pid) => isAlive(Number(pid))), PATIENT).toEqual([]);
    await host.start();
  });

  it('are not all that a client could ask for, but there is an end to it', async () => {
    const claim = { kind: 'client' as const, clientId: client.clientId };
    const uri = (index: number) => `ahp-terminal:/${index}`;
    for (let index = 0; index < 256; index++) {
      await client.request('createTerminal', { channel: uri(index), claim });
    }
    const refused = await client.refused('createTerminal', { channel: uri(256), claim });
    expect(refused).toMatchObject({ code: -32600, message: expect.stringContaining('256 terminals') });
    await client.request('disposeTerminal', { channel: uri(0) });
    await client.request('createTerminal', { channel: uri(256), claim });
  });
});
