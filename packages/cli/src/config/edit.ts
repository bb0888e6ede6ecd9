import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ConfigurationSection, isObject } from '@moorage/protocol';
import { applyEdits, modify } from 'jsonc-parser';
import { whyUnreadable } from '../files.js';
import { parseJsonc } from '../jsonc.js';
import { UsageError } from '../usage-error.js';
import { AGENTS } from './agent-config.js';
import type { Check } from './config-check.js';
import { MCP_SERVERS } from './mcp-config.js';

const CHECKS: { readonly [S in ConfigurationSection]: Check } = { agents: AGENTS, mcpServers: MCP_SERVERS };

/** Bytes. Nobody writes that many by hand, and a client could fill the disk. */
const MAX_CONFIG_BYTES = 1024 * 1024;

/** Adds an entry to a configuration file, or replaces it. What the host would refuse is not written. */
export function addEntry(
  file: string,
  section: ConfigurationSection,
  name: string,
  entry: object,
): { readonly replaced: boolean } {
  const problem = CHECKS[section]({ [name]: entry }, []);
  if (problem) throw new UsageError(`${problem.path.join('.')}: expected ${problem.expected}`);
  const replaced = Object.hasOwn(readSection(file, section), name);
  changeConfig(file, [section, name], entry);
  return { replaced };
}

/** A part of the file that the host reads; empty when it is not there. */
export function readSection(file: string, section: ConfigurationSection): Readonly<Record<string, unknown>> {
  const value = parseJsonc(file, readConfigText(file));
  const part = isObject(value) ? (value[section] ?? {}) : undefined;
  if (!isObject(part)) throw new UsageError(`${file}: ${section}: expected an object`);
  return part;
}

/** Sets one value of the file, or removes it when it is undefined. The rest stays as the user wrote it, comments included. */
export function changeConfig(file: string, path: string[], value: unknown): void {
  const text = readConfigText(file);
  const changed = applyEdits(
    text,
    modify(text, path, value, { formattingOptions: { insertSpaces: true, tabSize: 2 } }),
  );
  if (Buffer.byteLength(changed) > MAX_CONFIG_BYTES) throw new UsageError(`${file} would have more than 1 MB`);
  writeConfig(file, changed);
}

export function writeConfig(file: string, text: string, flag: 'w' | 'wx' = 'w'): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600, flag });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UsageError(`${file} is already there; nothing was changed`);
    throw new Error(`cannot write ${file} (${code}); make it writable, or set XDG_CONFIG_HOME to another folder`);
  }
}

/** The text of the file; that of an empty configuration when there is none. */
export function readConfigText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NEW_FILE;
    throw new UsageError(`cannot read ${file}: ${whyUnreadable(error)}`);
  }
}

const NEW_FILE = `// Settings of the host on this machine, and of the commands that talk to hosts. "moorage config" prints all that
// can be set; the host reads this file when it starts.
{}
`;
