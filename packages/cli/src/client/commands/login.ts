import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { login } from '../login/login.js';

export default function loginCommand(): Command {
  return command('login [host]', 'Sign in to a host or gateway with the identity provider that it trusts.', [
    'moorage login https://work.example:7433     # then: moorage ls --host work.example',
    'moorage login https://work.example:7433 --name work --default',
    'moorage login work                         # again, after the time is over',
  ])
    .option('--name <name>', 'what to call the host from now on (default: the name in its address)')
    .option('--default', 'talk to it when no other is named')
    .action((host: string | undefined, options: CommonOptions & { name?: string; default?: boolean }) =>
      login(host, options),
    );
}
