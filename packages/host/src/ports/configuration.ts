import type { ConfigurationSection } from '@moorage/protocol';

/** The configuration of whoever runs the host, as far as clients may add to it. */
export interface Configuration {
  /**
   * Adds an entry, or replaces the one of that name. What the host would refuse at its next start throws a
   * `ConfigurationError`, and nothing is changed.
   */
  add(section: ConfigurationSection, name: string, entry: Readonly<Record<string, unknown>>): AddedEntry;
}

export interface AddedEntry {
  /** Where the entry is now. */
  readonly file: string;
  /** There was one of that name. */
  readonly replaced: boolean;
  /** It counts from the next start of the host on. */
  readonly needsRestart: boolean;
}

/** Says what is wrong with an entry, or with the configuration that it was for. Clients see the message. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
