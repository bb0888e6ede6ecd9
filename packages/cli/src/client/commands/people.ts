import { type PersonRole, PersonRole as Roles } from '@moorage/protocol';
import { type Command, Option } from 'commander';
import { pairingLink, qrCode } from '../../pairing-text.js';
import { type CommonOptions, command } from '../command.js';
import { withHost } from '../host/open.js';
import { colour, note, print, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { printTable } from '../output/table.js';
import { ago } from '../sessions/status.js';

export default function peopleCommand(): Command {
  const add = command('add <name>', 'Invite somebody: prints a link that works once, as a QR code too.', [
    'moorage people add Ada --role steer',
    'moorage people add Bob                   # may look, and change nothing',
  ])
    .addOption(roleOption('what they may do').default(Roles.View))
    .action(addPerson);
  const ls = command('ls', 'List the people and links that may use the host.', [
    'moorage people ls',
    'moorage people ls --json',
  ]).action(listPeople);
  const revoke = command('revoke <name>', 'Take the access of a person or of a link back: they are out at once.', [
    'moorage people revoke Ada',
    'moorage people revoke link-4f2a90',
  ]).action(revokePerson);
  const people = command('people', 'Let others use the host, with names and roles.', [
    'moorage people add Ada --role steer      # print a one-time link for Ada',
    'moorage people ls                        # see who may do what, and who is here',
    'moorage people revoke Ada                # out at once',
  ]).addHelpText('after', ROLES_HELP);
  people.enablePositionalOptions();
  for (const child of [add, ls, revoke]) people.addCommand(child);
  return people;
}

export function roleOption(description: string): Option {
  return new Option('--role <role>', description).choices(Object.values(Roles));
}

/** How to hand a link over, or what else to do if nobody else can open one. */
export async function printLink(link: string, page: string | undefined): Promise<void> {
  if (process.stdout.isTTY && page !== undefined) print(`${await qrCode(link)}\n`);
  printLine(plainLine(link));
  if (page !== undefined && isLoopback(page)) note(ONLY_HERE);
}

async function addPerson(name: string, options: CommonOptions & { readonly role: PersonRole }): Promise<void> {
  const { role } = options;
  const made = await withHost(options, (client) => client.request('moorage/invitePerson', { name, role }));
  const { secret, page, expiresAt } = made;
  const link = pairingLink(page ?? '', secret);
  if (options.json) return printLine(jsonLine({ name, role, ...made, link }));
  await printLink(link, page);
  const days = Math.round((expiresAt - Date.now()) / 86_400_000);
  note(`Give it to ${plainLine(name)} in private. It works once, within ${days} days.`);
}

async function listPeople(options: CommonOptions): Promise<void> {
  const { items } = await withHost(options, (client) => client.request('moorage/listPeople', {}));
  if (options.json) return printLine(jsonLine(items));
  if (items.length === 0) return note('Nobody but you. Invite somebody with: moorage people add NAME --role ROLE');
  const now = Date.now();
  printTable(
    ['NAME', 'ROLE', 'FOR', 'STATE', 'ADDED'],
    items.map(({ name, role, session, expiresAt, isInvited, isHere, devices, addedAt }) => [
      plainLine(name),
      role,
      session === undefined ? 'everything' : plainLine(`session ${session.split('/').at(-1)?.slice(0, 8)}`),
      [
        isHere ? 'here now' : isInvited && devices === 0 ? 'invited' : 'away',
        ...(expiresAt === undefined ? [] : [`until ${new Date(expiresAt).toISOString().slice(0, 16)}Z`]),
      ].join(', '),
      ago(addedAt, now),
    ]),
    (cell, _column, row) => (row < 0 ? colour.dim(cell) : cell),
  );
}

async function revokePerson(name: string, options: CommonOptions): Promise<void> {
  await withHost(options, (client) => client.request('moorage/revokePerson', { name }));
  printLine(options.json ? jsonLine({ revoked: name }) : `revoked ${plainLine(name)}`);
}

function isLoopback(page: string): boolean {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(page);
}

const ONLY_HERE =
  'This link works on this machine only: the host listens nowhere else. Give moorage serve an address with --host and TLS\n(docs/OPERATIONS.md), and make another link.';

export const ROLES_HELP = `
Roles, each with all that those before it may do:
  view     see sessions, files and changes
  review   comment, and mark what was read
  steer    begin sessions, send, approve, operate on changes, use terminals of sessions
  admin    terminals outside sessions, settings, people
`;
