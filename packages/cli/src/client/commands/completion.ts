import type { Command } from 'commander';
import { command } from '../command.js';
import { bashScript, fishScript, zshScript } from '../completion/scripts.js';
import { describe } from '../completion/words.js';
import { print } from '../output/out.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export default function completionCommand(): Command {
  return command('completion <shell>', 'Print a completion script for bash, zsh or fish.', [
    'source <(moorage completion bash)                             # in ~/.bashrc',
    'moorage completion zsh > ~/.zsh/completions/_moorage            # a folder of $fpath',
    'moorage completion fish > ~/.config/fish/completions/moorage.fish',
  ]).action(async (shell: string, _options: unknown, self: Command) => {
    if (!Object.hasOwn(SCRIPTS, shell)) self.error(`error: no completion for "${shell}": expected bash, zsh or fish`);
    const { createProgram } = await import('../program.js');
    print(SCRIPTS[shell as keyof typeof SCRIPTS](describe(await createProgram({ all: true }))));
  });
}
