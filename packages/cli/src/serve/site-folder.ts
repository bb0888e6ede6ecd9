import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the built web page lies: beside this package in a checkout, or in `@ahpd/web` where packages are installed. */
export function siteFolder(): string | undefined {
  const home = packageFolder(dirname(fileURLToPath(import.meta.url)));
  const places = [join(home, '..', 'web', 'site'), join(home, '..', '@ahpd', 'web', 'site')];
  return places.find((place) => existsSync(join(place, 'index.html')));
}

/** The code runs from `dist` or from the bundle, which lie at different depths. */
function packageFolder(from: string): string {
  if (existsSync(join(from, 'package.json')) || dirname(from) === from) return from;
  return packageFolder(dirname(from));
}
