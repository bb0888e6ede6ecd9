import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = readFileSync(`${root}docs/TROUBLESHOOTING.md`, 'utf8');

const sources = readdirSync(`${root}packages`)
  .flatMap((name) =>
    readdirSync(`${root}packages/${name}/src`, { recursive: true }).map((path) => `packages/${name}/src/${path}`),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(root + file, 'utf8'))
  .join('\n');

/** What a user sees, in the first column: the words between what varies. Words of Node itself are not ours to keep. */
const messages = [...PAGE.matchAll(/^\| ([^|]+) \|/gm)]
  .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+ [^`]+)`/g)].map(([, message = '']) => message))
  .flatMap((message) => message.split(/…|FILE:LINE: KEY: /).map((part) => part.trim()))
  .filter((part) => part.length > 3 && part !== 'self-signed certificate' && !part.endsWith('its disk is read-only'));

it.each(messages)('the message "%s" is one that the code says', (message) => {
  expect(sources).toContain(message.replace(/\)$/, ''));
});
