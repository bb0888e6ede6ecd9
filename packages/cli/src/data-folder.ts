import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where a host keeps its things when nobody says otherwise (XDG base directories). */
export function defaultDataFolder(): string {
  const { XDG_DATA_HOME } = process.env;
  return join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'ahpd');
}
