import { Command } from 'commander';
import type { FleetInitOptions } from '../../fleet/init.js';
import { pathValue } from '../../option-values.js';

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
  const fleet = new Command('fleet').description('Run many hosts as one fleet, with one address and one login.');
  fleet.enablePositionalOptions();
  return fleet.addCommand(init);
}

const INIT_EXAMPLES = `
Examples:
  moorage fleet init ~/fleet
  moorage fleet init ~/fleet --listen 0.0.0.0:4222 --tls-cert bus.pem --tls-key bus-key.pem
`;
