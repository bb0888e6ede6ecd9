import type { ConfigurationSection } from '@moorage/protocol';
import { addEntry, readSection } from '../../config/edit.js';
import { configFile } from '../../config-file.js';
import { UsageError } from '../../usage-error.js';
import { printLine } from '../output/out.js';
import { plainLine } from '../output/plain.js';
import { changeClientConfig, readClientConfig } from './config.js';

const RESTART = 'A host that runs takes it up when it is started again: moorage host stop, then moorage host start';

/** Adds an entry to the user's configuration file, or replaces it. What the host would refuse is not written. */
export function addConfigured(section: ConfigurationSection, name: string, entry: object): void {
  readClientConfig(); // a broken file is refused, not edited
  const { replaced } = addEntry(configFile(), section, name, entry);
  printLine(`${replaced ? 'replaced' : 'added'} ${plainLine(name)} in ${configFile()}\n${RESTART}`);
}

export function removeConfigured(section: ConfigurationSection, name: string): void {
  const names = Object.keys(readSection(configFile(), section));
  if (!names.includes(name)) {
    const known = names.length > 0 ? `it has: ${names.join(', ')}` : 'it has none';
    throw new UsageError(`there is no ${section}.${name} in ${configFile()}; ${known}`);
  }
  changeClientConfig([section, name], undefined);
  printLine(`removed ${plainLine(name)} from ${configFile()}\n${RESTART}`);
}

/** `NAME=VALUE`, given any number of times, as an object. */
export function variables(given: readonly string[] = [], separator = '='): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf(separator);
      if (at <= 0) throw new UsageError(`"${text}" must be NAME${separator}VALUE`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}
