// Marks the schemas of the built packages as free of side effects: a bundler then leaves out those that a page does not use.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../packages/protocol/dist', import.meta.url));
/** A statement of the compiler's output: it ends with the first line that is not indented and has the semicolon. */
const SCHEMA = /^((?:export )?const \w+Schema = )((?:.*|.*\n(?: .*\n)*\S.*));$/gm;

for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.js')) continue;
  const text = readFileSync(`${dist}/${file}`, 'utf8');
  if (text.includes('@__PURE__')) continue;
  const marked = text.replace(SCHEMA, '$1/* @__PURE__ */ (() => $2)();');
  if (marked !== text) writeFileSync(`${dist}/${file}`, marked);
}
