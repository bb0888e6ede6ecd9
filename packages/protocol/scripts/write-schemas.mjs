// Writes the published JSON Schemas of every wire type and message to packages/protocol/schema/.
import { mkdirSync, writeFileSync } from 'node:fs';
import { publishedDocuments } from '../dist/published.js';

const folder = new URL('../schema/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, document] of Object.entries(publishedDocuments())) {
  writeFileSync(new URL(`${name}.schema.json`, folder), `${JSON.stringify(document, null, 2)}\n`);
}
