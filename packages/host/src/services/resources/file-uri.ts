import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileUri, type URI } from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';

export function isFileUri(uri: URI): boolean {
  return /^file:/i.test(uri);
}

/** The path of a `file:` URI. Ambiguous URIs are refused. */
export function pathOfUri(uri: URI, param = 'uri'): string {
  let path: string;
  try {
    const url = new URL(uri);
    if (url.protocol !== 'file:' || url.search !== '' || url.hash !== '') throw new Error('not a plain file URI');
    path = fileURLToPath(url); // rejects a host, an encoded slash, and invalid UTF-8
  } catch {
    throw invalidParams(
      `params/${param}: expected a URI such as "file:///folder/name", with "?" and "#" percent-encoded`,
    );
  }
  if (path.includes('\0')) throw invalidParams(`params/${param}: a path cannot hold a NUL character`);
  return path;
}

export function uriOfPath(path: string): URI {
  return fileUri(resolve(path));
}
