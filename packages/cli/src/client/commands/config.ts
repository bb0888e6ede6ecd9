import type { Command } from 'commander';
import { DEFAULT_CONFIG } from '../../config/default-config.js';
import { writeConfig } from '../../config/edit.js';
import { configFile } from '../../config-file.js';
import { command } from '../command.js';
import { print, printLine } from '../output/out.js';

export default function configCommand(): Command {
  const init = command('init', 'Write a configuration file with all that can be set, unless there is one.', [
    'moorage config init',
  ]).action(() => {
    writeConfig(configFile(), DEFAULT_CONFIG, 'wx');
    printLine(`wrote ${configFile()}; everything in it is a comment, so nothing has changed yet`);
  });
  const path = command('path', 'Print where the configuration file is.', ['$EDITOR "$(moorage config path)"']).action(
    () => printLine(configFile()),
  );
  const config = command('config', 'Print a configuration file with all that can be set, as comments.', [
    'moorage config',
    'moorage config init              # write it to where hosts and commands read it',
    '$EDITOR "$(moorage config path)"',
  ]).action(() => print(DEFAULT_CONFIG));
  config.enablePositionalOptions();
  for (const child of [init, path]) config.addCommand(child);
  return config;
}
