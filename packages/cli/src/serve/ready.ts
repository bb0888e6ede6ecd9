import type { PairingCode } from '@moorage/host';
import pc from 'picocolors';
import { pairingLink, qrCode } from '../pairing-text.js';

export interface Ready {
  /** Undefined for a host that listens on nothing. */
  readonly url: string | undefined;
  readonly web: string | undefined;
  /** For other devices, where they can reach the host. */
  readonly pairing: PairingCode | undefined;
  /** The host's id in its fleet. */
  readonly fleet: string | undefined;
  readonly token: string;
  readonly protocolVersions: readonly string[];
  readonly dataDir: string;
  readonly folders: readonly string[];
  /** What to do first, in a playground. */
  readonly hint: string | undefined;
}

/** Announces that the host is ready: one JSON line for programs, a few lines for people, nothing when stdout belongs to a client. */
export async function announce(how: 'json' | 'text' | 'quiet', ready: Ready): Promise<void> {
  if (how === 'quiet') return;
  process.stdout.write(how === 'json' ? `${JSON.stringify(readyLine(ready))}\n` : await readyText(ready));
}

function readyLine({ url, web, fleet, token, protocolVersions, dataDir }: Ready): object {
  return { ready: true, url, web, fleet, token, protocolVersions, dataDir };
}

async function readyText({ url, web, fleet, pairing, dataDir, folders, hint }: Ready): Promise<string> {
  const link = pairing?.page && pairingLink(pairing.page, pairing.code);
  const rows = [
    // A link that leaves the machine has no token in it, which would be good for ever.
    ['Web page', (link ?? web) && pc.cyan(link ?? web ?? '')],
    ['', link && 'for one device, within ten minutes; moorage pair prints another'],
    ['WebSocket', url],
    ['Fleet id', fleet],
    ...folders.map((folder, index) => [index === 0 ? 'Sessions in' : '', folder]),
    ['Kept in', dataDir],
  ];
  const table = rows.flatMap(([name, value]) => (value ? [`  ${name?.padEnd(12)}${value}`] : [])).join('\n');
  const code = link && process.stdout.isTTY ? `${await qrCode(link)}\n\n` : '';
  return `${pc.bold('moorage is running.')}\n\n${table}\n\n${code}${hint ? `${hint}\n` : ''}Stop it with Ctrl-C. Sessions are kept and go on when it is started again.\n`;
}
