import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASH_SCRIPT } from './bash-script.js';
import { FISH_SCRIPT } from './fish-script.js';
import { ZSHENV_SCRIPT, ZSHRC_SCRIPT } from './zsh-script.js';

export interface ScriptFiles {
  readonly bash: string;
  readonly fish: string;
  /** A folder, for ZDOTDIR. */
  readonly zsh: string;
}

/** Writes the shell integration scripts. Never touches the user's own files. */
export function writeScripts(directory: string): ScriptFiles {
  const zsh = join(directory, 'zsh');
  mkdirSync(zsh, { recursive: true, mode: 0o700 });
  const files = { bash: join(directory, 'bash.sh'), fish: join(directory, 'config.fish'), zsh };
  put(files.bash, BASH_SCRIPT);
  put(files.fish, FISH_SCRIPT);
  put(join(zsh, '.zshenv'), ZSHENV_SCRIPT);
  put(join(zsh, '.zshrc'), ZSHRC_SCRIPT);
  return files;
}

function put(file: string, text: string): void {
  try {
    if (readFileSync(file, 'utf8') === text) return; // another shell may be reading it right now
  } catch {
    // does not exist yet
  }
  writeFileSync(file, text, { mode: 0o600 });
}
