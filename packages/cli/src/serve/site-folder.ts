import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The folder of the built web page, if there is one. Resolved as a package, which works from `dist`, the bundle and an installation. */
export function siteFolder(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve('@moorage/web/site/index.html'));
  } catch {
    return undefined;
  }
}
