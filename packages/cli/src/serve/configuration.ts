import { resolve } from 'node:path';
import { type Configuration, ConfigurationError } from '@moorage/host';
import { addEntry } from '../config/edit.js';
import { UsageError } from '../usage-error.js';

/** Lets clients add to the file that this host reads when it starts. */
export function configurationIn(path: string): Configuration {
  const file = resolve(path);
  return {
    add(section, name, entry) {
      try {
        return { file, ...addEntry(file, section, name, entry), needsRestart: true };
      } catch (error) {
        throw error instanceof UsageError ? new ConfigurationError(error.message) : error;
      }
    },
  };
}
