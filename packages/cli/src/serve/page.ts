import type { HttpHandler } from '@moorage/host';
import { VERSION } from '../version.js';
import { siteFolder } from './site-folder.js';
import { statusPage } from './status-page.js';
import { webPage } from './web-page.js';

/** What browsers get. */
export function page(otherHosts?: readonly string[]): HttpHandler {
  const folder = siteFolder();
  return folder === undefined ? statusPage(VERSION) : webPage(folder, otherHosts);
}
