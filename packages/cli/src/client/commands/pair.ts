import { ROOT_URI } from '@moorage/protocol';
import type { Command } from 'commander';
import { pairingLink, qrCode } from '../../pairing-text.js';
import { type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { print, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';

export default function pairCommand(): Command {
  return command('pair', 'Print a link with a one-time code that signs another device in, as a QR code too.', [
    'moorage pair',
    'moorage pair --json',
  ]).action(async (options: CommonOptions) => {
    const made = await withHost(options, (client) =>
      client.request('moorage/createPairingCode', { channel: ROOT_URI }).catch((error: unknown) => {
        if ((error as { code?: number }).code === -32601)
          throw new CommandError('this host cannot pair: it serves no page, or is another one than moorage');
        throw error;
      }),
    );
    const { code, page, expiresAt } = made;
    if (options.json) return printLine(jsonLine({ ...made, ...(page && { link: pairingLink(page, code) }) }));
    if (page === undefined) {
      printLine(`code: ${plainLine(code)}`);
      printLine(ONLY_HERE);
    } else {
      const link = pairingLink(page, code);
      if (process.stdout.isTTY) print(`${await qrCode(link)}\n`);
      printLine(plainLine(link));
    }
    const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));
    printLine(`It works once, within ${minutes} minutes.`);
  });
}

const ONLY_HERE =
  'The host listens on this machine only. To reach it from a phone, give moorage serve an address with --host and TLS,\nor a proxy and notifications.page in the configuration (docs/OPERATIONS.md). Enter the code where the page asks for a link.';
