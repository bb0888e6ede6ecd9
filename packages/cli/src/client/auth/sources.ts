import { readFileSync } from 'node:fs';
import { isObject } from '@moorage/protocol';
import { UsageError } from '../../usage-error.js';

/** Where a token for a protected resource comes from. The token itself is never in the configuration. */
export type TokenSource = { readonly env: string } | { readonly file: string };

/** By the name of the host, then by resource: a host gets only the tokens that were added for it. */
export type TokenSources = Readonly<Record<string, Readonly<Record<string, TokenSource>>>>;

/** Characters of a token; the host takes no more either. */
const MAX_TOKEN_CHARS = 16 * 1024;

/** The token, or undefined when the variable is not set or the file cannot be read. */
export function readSource(source: TokenSource): string | undefined {
  if ('env' in source) return process.env[source.env]?.trim() || undefined;
  try {
    return readFileSync(source.file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

export function describeSource(source: TokenSource): string {
  return 'env' in source ? `$${source.env}` : source.file;
}

/** Reads a token from standard input, because everybody on the machine can see the arguments of a program. */
export async function readTokenInput(): Promise<string> {
  if (process.stdin.isTTY)
    throw new UsageError('give the token on standard input, for example: pass show models | moorage auth add URL');
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_TOKEN_CHARS) throw new UsageError(`the token is longer than ${MAX_TOKEN_CHARS} characters`);
  }
  if (text.trim() === '') throw new UsageError('no token came on standard input');
  return text.trim();
}

export function isTokenSources(value: unknown): value is TokenSources {
  return isObject(value) && Object.values(value).every((host) => isObject(host) && Object.values(host).every(isSource));
}

function isSource(value: unknown): boolean {
  return isObject(value) && (typeof value.env === 'string' || typeof value.file === 'string');
}
