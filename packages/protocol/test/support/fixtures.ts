import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * The fixtures of the protocol's authors for a version, next to the checkout where there are any. They are not ours to
 * copy, so the tests on them are skipped elsewhere.
 */
export function readFixtures<F>(
  folder: 'reducers' | 'round-trips',
  version: '1.0' | '0.4' = '1.0',
): (F & { file: string })[] {
  const path = resolve(root, '../shared/conformance', version === '1.0' ? version : '.', folder);
  if (!existsSync(path)) return [];
  const files = readdirSync(path).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => ({ ...JSON.parse(readFileSync(resolve(path, file), 'utf8')), file }));
}
