import type { Command } from 'commander';
import { type AddOptions, addToken, listNeeded, removeToken } from '../auth/manage.js';
import { type CommonOptions, command } from '../command.js';

export default function authCommand(): Command {
  const list = command('list', 'List what agents of the host need a token for.', [
    'moorage auth list',
    'moorage auth list --json',
  ]).action((options: CommonOptions) => listNeeded(options));
  const add = command('add <resource>', 'Say where the token for a resource comes from; every command then gives it.', [
    'moorage auth add https://models.example/ --env MODELS_TOKEN',
    'moorage auth add https://models.example/ --file ~/.config/models.token',
    'pass show models | moorage auth add https://models.example/      # kept in a file only you can read',
  ])
    .option('--env <name>', 'an environment variable that holds it')
    .option('--file <file>', 'a file that holds it')
    .action((resource: string, options: AddOptions) => addToken(resource, options));
  const remove = command('remove <resource>', 'Forget where a token comes from.', [
    'moorage auth remove https://models.example/',
  ]).action((resource: string, options: CommonOptions) => removeToken(resource, options));
  const auth = command('auth', 'See which tokens agents need, and give them.', [
    'moorage auth list',
    'moorage auth add https://models.example/ --env MODELS_TOKEN',
  ]);
  auth.enablePositionalOptions();
  for (const child of [list, add, remove]) auth.addCommand(child);
  return auth;
}
