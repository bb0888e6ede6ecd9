import type { Transport } from '@moorage/client';
import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { findHost } from '../host/find.js';
import { connectTo, withClient } from '../host/open.js';
import { colour, printLine } from '../output/out.js';
import { jsonLine } from '../output/plain.js';
import { redacted } from '../output/redact.js';
import { LiveSession } from '../sessions/live-session.js';

export default function watchCommand(): Command {
  return command('watch [session...]', 'Print the messages on the wire, without secrets, until Ctrl-C.', [
    'moorage watch                    # the root channel',
    'moorage watch 4f2a               # a session and its chats as well',
    'moorage watch 4f2a --json | jq .message.params.action.type',
  ]).action(watch);
}

async function watch(sessions: string[], options: CommonOptions): Promise<void> {
  const show = (direction: 'in' | 'out', text: string) => {
    const message = parsed(text);
    const time = new Date().toISOString();
    if (options.json) return printLine(jsonLine({ time, direction, message }));
    printLine(
      `${colour.dim(time.slice(11, 23))} ${direction === 'in' ? colour.green('<') : colour.cyan('>')} ${jsonLine(message)}`,
    );
  };
  const tap = (transport: Transport) => tapped(transport, show);
  await withClient(await connectTo(findHost(options), { tap }), async (client) => {
    const stopped = new Promise<void>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
      client.onStatus((status) => status === 'closed' && resolve());
    });
    for (const session of sessions) await LiveSession.find(client, session);
    await stopped;
  });
}

/** A connection that shows every message. */
function tapped(transport: Transport, show: (direction: 'in' | 'out', text: string) => void): Transport {
  transport.onMessage((text) => show('in', text));
  return {
    ...transport,
    send(text) {
      show('out', text);
      transport.send(text);
    },
  };
}

function parsed(text: string): unknown {
  try {
    return redacted(JSON.parse(text));
  } catch {
    return '(not JSON)';
  }
}
