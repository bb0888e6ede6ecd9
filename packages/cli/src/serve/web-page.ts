import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { extname, join, sep } from 'node:path';
import type { HttpHandler } from '@moorage/host';
import { pageHeaders } from './page-headers.js';

/**
 * Serves the built web page from a table of files that is made once. Since only its keys can be requested, no spelling of a
 * path leads out of the folder.
 */
export function webPage(folder: string, otherHosts: readonly string[] = []): HttpHandler {
  const files = tableOf(folder);
  return (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const file = files.get(path === '/' ? '/index.html' : path);
    if (!file) return false;
    const { bytes, encoding } = file.read(request);
    response.writeHead(200, {
      ...pageHeaders(request, otherHosts),
      ...file.headers,
      ...(encoding && { 'Content-Encoding': encoding }),
      'Content-Length': bytes.length,
      Vary: 'Accept-Encoding',
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return true;
  };
}

interface SiteFile {
  readonly headers: OutgoingHttpHeaders;
  read(request: IncomingMessage): { bytes: Buffer; encoding?: string };
}

function tableOf(folder: string): Map<string, SiteFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const known = new Set(names);
  const pages = names.filter((name) => CONTENT_TYPES[extname(name)] !== undefined);
  return new Map(pages.map((name) => [name.slice(folder.length).split(sep).join('/'), siteFile(name, known)]));
}

function siteFile(name: string, known: ReadonlySet<string>): SiteFile {
  const kept = new Map<string, Buffer>();
  const load = (path: string) => {
    const bytes = kept.get(path) ?? readFileSync(path);
    kept.set(path, bytes);
    return bytes;
  };
  return {
    headers: {
      'Content-Type': CONTENT_TYPES[extname(name)],
      // Names of assets contain a hash of their content; the page itself must be revalidated.
      'Cache-Control': name.includes(`${sep}assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
    read({ headers }) {
      const accepted = String(headers['accept-encoding'] ?? '');
      const found = ENCODINGS.find(([token, suffix]) => accepted.includes(token) && known.has(name + suffix));
      return found ? { bytes: load(name + found[1]), encoding: found[0] } : { bytes: load(name) };
    },
  };
}

/** The build compresses each file once. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
