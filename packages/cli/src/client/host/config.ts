import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject } from '@moorage/protocol';
import { applyEdits, modify } from 'jsonc-parser';
import { configFile } from '../../config-file.js';
import { whyUnreadable } from '../../files.js';
import { parseJsonc } from '../../jsonc.js';
import { UsageError } from '../../usage-error.js';
import { isTokenSources, type TokenSources } from '../auth/sources.js';
import { CommandError } from '../errors.js';

interface NamedHost {
  readonly url: string;
  readonly tokenFile?: string;
}

/** The user's own settings, in the configuration file that the host reads, too. */
export interface ClientConfig {
  readonly hosts: Readonly<Record<string, NamedHost>>;
  /** The name of the host that `moorage` talks to unless it is told otherwise. */
  readonly default?: string;
  /** Where tokens for what agents protect come from. */
  readonly tokens?: TokenSources;
}

/** The configuration; an empty one when there is no file. */
export function readClientConfig(): ClientConfig {
  const file = configFile();
  const value = parseJsonc(file, readText(file));
  if (!isObject(value)) throw new UsageError(`${file}: expected an object; correct it or remove it`);
  const hosts = value.hosts ?? {};
  if (!isObject(hosts)) throw new UsageError(`${file}: hosts: expected an object of named hosts`);
  for (const [name, host] of Object.entries(hosts)) {
    if (isNamedHost(host)) continue;
    throw new UsageError(`${file}: hosts.${name}: expected { "url": "...", "tokenFile": "..." }`);
  }
  if (value.default !== undefined && typeof value.default !== 'string') {
    throw new UsageError(`${file}: default: expected the name of a host`);
  }
  const { default: byDefault, tokens } = value;
  if (tokens !== undefined && !isTokenSources(tokens)) {
    throw new UsageError(`${file}: tokens: expected { "HOST": { "RESOURCE": { "env": "..." } } }`);
  }
  return {
    hosts: hosts as ClientConfig['hosts'],
    ...(byDefault !== undefined && { default: byDefault }),
    ...(tokens !== undefined && { tokens }),
  };
}

/** A part of the file that the host reads; empty when it is not there. */
export function readConfigured(section: string): Readonly<Record<string, unknown>> {
  const file = configFile();
  const value = parseJsonc(file, readText(file));
  const part = isObject(value) ? (value[section] ?? {}) : undefined;
  if (!isObject(part)) throw new UsageError(`${file}: ${section}: expected an object`);
  return part;
}

/** Sets one value of the file, or removes it when it is undefined. The rest stays as the user wrote it, comments included. */
export function changeClientConfig(path: string[], value: unknown): void {
  readClientConfig(); // a broken file is refused, not edited
  const file = configFile();
  const text = readText(file);
  const changed = applyEdits(
    text,
    modify(text, path, value, { formattingOptions: { insertSpaces: true, tabSize: 2 } }),
  );
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, changed, { mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      `cannot write ${file} (${code}); make it writable, or set XDG_CONFIG_HOME to another folder`,
    );
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NEW_FILE;
    throw new UsageError(`cannot read ${file}: ${whyUnreadable(error)}`);
  }
}

const NEW_FILE = `// Settings of the host on this machine, and of the commands that talk to hosts. "moorage serve --help" and
// "moorage host --help" say more; the host reads this file when it starts.
{}
`;

function isNamedHost(value: unknown): value is NamedHost {
  if (!isObject(value) || typeof value.url !== 'string') return false;
  return value.tokenFile === undefined || typeof value.tokenFile === 'string';
}
