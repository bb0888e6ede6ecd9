import { PersonRole } from '@moorage/protocol';
import { UsageError } from '../../usage-error.js';
import type { CommonOptions } from '../command.js';
import { withHost } from '../host/open.js';
import { confirm } from '../output/confirm.js';
import { colour, note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { printTable } from '../output/table.js';
import { ago } from '../sessions/status.js';
import { hostsOf, memberNamed } from './hosts.js';

export interface EnrolOptions extends CommonOptions {
  readonly label?: readonly string[];
  readonly hours?: number;
}

const HOUR_MS = 3_600_000;

/** Lets one new host in: prints the command that makes it a member. */
export async function enrol(options: EnrolOptions): Promise<void> {
  const labels = [...(options.label ?? [])];
  const validity = options.hours === undefined ? {} : { validMs: options.hours * HOUR_MS };
  const invitation = await withHost(options, (client) => client.request('moorage/inviteHost', { labels, ...validity }));
  if (options.json) return printLine(jsonLine(invitation));
  const { token, bus, expiresAt } = invitation;
  const addresses = bus.map((url) => `--fleet ${plainLine(url)}`).join(' ');
  note(`Run this on the new host. It works once, until ${new Date(expiresAt).toISOString()}:`);
  printLine(`moorage serve ${addresses} --enrol ${plainLine(token)}`);
}

export async function listHosts(options: CommonOptions): Promise<void> {
  const hosts = await withHost(options, hostsOf);
  if (options.json) return printLine(jsonLine(hosts));
  if (hosts.length === 0) return note('No hosts. Let one in with: moorage fleet enrol');
  const now = Date.now();
  printTable(
    ['ID', 'NAME', 'STATE', 'SEEN', 'RUNNING', 'LABELS', 'VERSION'],
    hosts.map(({ id, name, state, seenAt, labels, version, runningSessions }) => [
      plainLine(id),
      plainLine(name),
      state,
      state === 'here' ? 'now' : seenAt === undefined ? 'never' : ago(seenAt, now),
      runningSessions === undefined ? '' : String(runningSessions),
      plainLine(labels.join(' ')),
      plainLine(version ?? ''),
    ]),
    (cell, _column, row) => (row < 0 ? colour.dim(cell) : cell),
  );
}

/** Ends the membership of a host, at once and for good. */
export async function revokeHost(wanted: string, options: CommonOptions & { readonly yes?: boolean }): Promise<void> {
  await withHost(options, async (client) => {
    const { id, name } = memberNamed(await hostsOf(client), wanted);
    await confirm(`End the membership of ${plainLine(name)} (${id}) for good?`, options.yes);
    await client.request('moorage/revokeHost', { host: id });
    printLine(options.json ? jsonLine({ revoked: id }) : `revoked ${plainLine(name)} (${id})`);
  });
}

export async function addToken(name: string, options: CommonOptions & { readonly role: PersonRole }): Promise<void> {
  const { role } = options;
  const { token } = await withHost(options, (client) => client.request('moorage/addToken', { name, role }));
  if (options.json) return printLine(jsonLine({ name, role, token }));
  note('Shown only now. Keep it in a file that only its owner can read:');
  printLine(plainLine(token));
}

export async function listTokens(options: CommonOptions): Promise<void> {
  const { items } = await withHost(options, (client) => client.request('moorage/listTokens'));
  if (options.json) return printLine(jsonLine(items));
  printTable(
    ['NAME', 'ROLE', 'UNTIL'],
    items.map(({ name, role, isAdmin, expiresAt }) => [
      plainLine(name),
      role === 'admin' && !isAdmin ? 'admin of hosts' : role,
      expiresAt === undefined ? '' : `${new Date(expiresAt).toISOString().slice(0, 16)}Z`,
    ]),
  );
}

export async function setTokenRole(name: string, role: string, options: CommonOptions): Promise<void> {
  const wanted = Object.values(PersonRole).find((known) => known === role);
  if (!wanted) throw new UsageError(`${plainLine(role)}: expected ${Object.values(PersonRole).join(', ')}`);
  await withHost(options, (client) => client.request('moorage/setTokenRole', { name, role: wanted }));
  printLine(options.json ? jsonLine({ name, role }) : `${plainLine(name)} has the role ${role}`);
}

export async function revokeToken(name: string, options: CommonOptions): Promise<void> {
  await withHost(options, (client) => client.request('moorage/revokeToken', { name }));
  printLine(options.json ? jsonLine({ revoked: name }) : `revoked ${plainLine(name)}`);
}
