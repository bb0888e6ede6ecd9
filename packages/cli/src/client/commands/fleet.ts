import { PersonRole } from '@moorage/protocol';
import { Command } from 'commander';
import type { FleetInitOptions } from '../../fleet/init.js';
import { collect, pathValue } from '../../option-values.js';
import { type CommonOptions, command, positiveNumber } from '../command.js';
import { fleetDoctor } from '../fleet/doctor.js';
import {
  addToken,
  type EnrolOptions,
  enrol,
  listHosts,
  listTokens,
  revokeHost,
  revokeToken,
  setTokenRole,
} from '../fleet/manage.js';
import { ROLES_HELP, roleOption } from './people.js';

/** `moorage fleet`. What needs the fleet's own code is loaded when it is called. */
export default function fleetCommand(): Command {
  const init = new Command('init')
    .description('Make the keys of a new fleet, and a configuration for its NATS server.')
    .argument('<folder>', 'where to put them', pathValue)
    .option('--listen <address>', 'where the NATS server shall listen', '127.0.0.1:4222')
    .option('--tls-cert <file>', 'its certificate (PEM)', pathValue)
    .option('--tls-key <file>', 'its private key (PEM)', pathValue)
    .option('--insecure', 'allow an address other than loopback without TLS')
    .option('--json', 'print JSON for programs')
    .addHelpText('after', INIT_EXAMPLES)
    .action(async (folder: string, options: FleetInitOptions) => {
      const { initFleet } = await import('../../fleet/init.js');
      await initFleet(folder, options);
    });
  const enrolling = command('enrol', 'Let one new host in: prints the command to run there. For admins.', [
    'moorage fleet enrol',
    'moorage fleet enrol --label gpu --label zone=b --hours 24',
  ])
    .option('--label <label>', 'a label that the host gets; repeatable', collect)
    .option('--hours <number>', 'how long the command can be used (default: 1)', positiveNumber)
    .action((options: EnrolOptions) => enrol(options));
  const ls = command('ls', 'List the hosts of the fleet.', ['moorage fleet ls', 'moorage fleet ls --json']).action(
    (options: CommonOptions) => listHosts(options),
  );
  const revoke = command('revoke <host>', 'End the membership of a host, at once and for good. For admins.', [
    'moorage fleet revoke build-17',
    'moorage fleet revoke 4f2a90 --yes',
  ])
    .option('-y, --yes', 'do not ask')
    .action((host: string, options: CommonOptions) => revokeHost(host, options));
  const doctor = command('doctor', 'Name the hosts that are away, are behind, or run another version.', [
    'moorage fleet doctor',
  ]).action((options: CommonOptions) => fleetDoctor(options));
  const fleet = command('fleet', 'Run many hosts as one fleet, with one address and one login.', [
    'moorage fleet init ~/fleet                          # make the keys of a new fleet',
    'moorage host add fleet wss://fleet.example/ --token-file ~/.config/moorage/fleet.token --default',
    'moorage fleet enrol --label gpu                     # print the command that lets a host in',
    'moorage fleet ls                                    # see who is there',
    'moorage fleet token add alice --role steer          # let somebody use it',
  ]);
  fleet.enablePositionalOptions();
  for (const child of [init, enrolling, ls, revoke, doctor, tokenCommand()]) fleet.addCommand(child);
  return fleet;
}

function tokenCommand(): Command {
  const add = command('add <name>', 'Make a token for somebody, and print it once. For admins.', [
    'moorage fleet token add alice --role steer',
    'moorage fleet token add bob              # may look, and change nothing',
  ])
    .addOption(roleOption('what they may do on every host; an admin also manages the fleet').default(PersonRole.View))
    .action((name: string, options: CommonOptions & { readonly role: PersonRole }) => addToken(name, options));
  const ls = command('ls', 'List the names of those who have a token. For admins.', ['moorage fleet token ls']).action(
    (options: CommonOptions) => listTokens(options),
  );
  const role = command('role <name> <role>', 'Let somebody do more or less, within seconds. For admins.', [
    'moorage fleet token role alice review',
  ]).action((name: string, wanted: string, options: CommonOptions) => setTokenRole(name, wanted, options));
  const revoke = command('revoke <name>', 'Take a token back: who uses it is out within seconds. For admins.', [
    'moorage fleet token revoke alice',
  ]).action((name: string, options: CommonOptions) => revokeToken(name, options));
  const token = command('token', 'Make and revoke the tokens of people.', [
    'moorage fleet token add alice --role steer',
    'moorage fleet token role alice view',
    'moorage fleet token revoke alice',
  ]).addHelpText('after', ROLES_HELP);
  token.enablePositionalOptions();
  for (const child of [add, ls, role, revoke]) token.addCommand(child);
  return token;
}

const INIT_EXAMPLES = `
Examples:
  moorage fleet init ~/fleet
  moorage fleet init ~/fleet --listen 0.0.0.0:4222 --tls-cert bus.pem --tls-key bus-key.pem
`;
