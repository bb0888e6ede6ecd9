// Takes the numbers of rules, such as (B-12, V-3), out of the built declarations: who has only npm cannot look them up.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const NUMBERS = /\s*(?:\n\s*\*)?\s*\((?:(?:B|V|OQ|D)-\d+(?:,?\s*(?:\*\s*)?))+\)/g;

for (const name of ['protocol', 'client', 'host', 'agents', 'fleet']) {
  const dist = `${packages}${name}/dist`;
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue;
    const text = readFileSync(`${dist}/${file}`, 'utf8');
    const plain = text.replace(NUMBERS, '');
    if (plain !== text) writeFileSync(`${dist}/${file}`, plain);
  }
}
