import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Where the built web page lies, if it was built: the code runs from `dist` or from the bundle, in a checkout or installed. */
export function siteFolder(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve('@ahpd/web/site/index.html'));
  } catch {
    return undefined;
  }
}
