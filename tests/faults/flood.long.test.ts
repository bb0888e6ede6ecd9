import { readFileSync } from 'node:fs';
import { ROOT_URI, type TerminalState, terminalUri } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { turn } from '../support/actions.js';
import { FaultBench } from '../support/fault-host.js';
import { textOf } from '../support/terminals.js';
import type { WireClient } from '../support/wire-client.js';

/** What the program prints. */
const BYTES = Number(process.env.FLOOD_BYTES ?? 100_000_000);
/** Megabytes that the host may take more than before: its queues and the scrollback, and what is not collected yet. */
const MAX_GROWTH_MB = 400;
/** Characters of a terminal that a late client gets: far above the scrollback, far below what was printed. */
const MAX_SHOWN_CHARS = 8_000_000;

let bench: FaultBench;
beforeEach(() => {
  bench = new FaultBench();
});
afterEach(() => bench.dispose());

it(`a terminal that prints ${BYTES / 1e6} MB: memory stays bounded, its client gets all of it, others go on`, async () => {
  const client = await bench.start();
  const { chat } = await bench.session(client);
  await turn(client, chat, '/say before');
  const reader = await bench.client();
  const channel = terminalUri.format(crypto.randomUUID());
  await reader.request('createTerminal', { channel, claim: { kind: 'client', clientId: reader.clientId } });
  await reader.subscribe(channel);
  const before = residentMegabytes(bench.host?.pid);
  const line = `head -c ${BYTES} /dev/zero | tr '\\0' x | fold -w 100; echo "the"-end`;
  reader.dispatch(channel, { type: 'terminal/input', data: `${line}\r` });
  let chars = 0;
  let tail = '';
  let most = before;
  let turns = 0;
  while (!tail.includes('the-end')) {
    const { text, isOpen } = taken(reader, channel);
    expect(isOpen, 'the client that reads was closed').toBe(true);
    chars += text.length;
    tail = (tail + text).slice(-1000);
    most = Math.max(most, residentMegabytes(bench.host?.pid));
    await client.request('ping', { channel: ROOT_URI });
    if (++turns % 50 === 0) await turn(client, chat, '/say meanwhile');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  process.stdout.write(`flood: ${chars} chars, host ${before} MB before, ${most} MB at most, ${turns} looks\n`);
  expect(chars).toBeGreaterThan(BYTES);
  expect(most - before).toBeLessThan(MAX_GROWTH_MB);
  const late = await client.subscribe<TerminalState>(channel);
  const shown = textOf(late);
  expect(shown.length).toBeLessThan(MAX_SHOWN_CHARS);
  expect(shown).toContain('the-end');
  await turn(client, chat, '/say after');
  await reader.close();
  await client.close();
}, 1_800_000);

/** The output that came since the last look; what was looked at is let go, or it would be this process that fills up. */
function taken(client: WireClient, channel: string): { text: string; isOpen: boolean } {
  const news = client.envelopes.splice(0);
  client.received.length = 0;
  const text = news.map((it) => (it.channel === channel && it.action.type === 'terminal/data' ? it.action.data : ''));
  return { text: text.join(''), isOpen: !client.peer.closed };
}

function residentMegabytes(pid = 0): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
