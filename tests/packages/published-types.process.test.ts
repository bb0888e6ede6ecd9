import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

it.each(['protocol', 'client', 'host', 'agents'])('the types of %s do not speak of numbered rules', (name) => {
  const dist = `${packages}${name}/dist`;
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  expect(files.length).toBeGreaterThan(10);
  const numbered = files.flatMap((file) =>
    (readFileSync(`${dist}/${file}`, 'utf8').match(/.*\b(?:B|V|OQ|D)-\d+.*/g) ?? []).map((line) => `${file}: ${line}`),
  );
  expect(numbered).toEqual([]);
});
