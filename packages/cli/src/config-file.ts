import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's configuration, of hosts as well as of the commands that talk to them (XDG base directories). */
export function configFile(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'moorage', 'config.jsonc');
}
