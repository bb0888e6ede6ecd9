import { expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/shared/sqlite.js';
import { migrations } from '../../src/adapters/store-sqlite/migrations/index.js';

it('extension keys of the earlier name are renamed, and what people wrote is left alone', () => {
  const database = openDatabase(':memory:');
  const [initial, extensionKeys] = migrations;
  initial?.up(database);
  const old = ['ah', 'pd'].join('');
  const said = `the key "${old}.anchor": of ${old}.lines`;
  const json = JSON.stringify({ text: said, _meta: { [`${old}.anchor`]: 1, [`${old}.lines`]: 'x' } });
  database.exec("INSERT INTO sessions VALUES (1, 'ahp-session:/s', 1, '{}', NULL)");
  database.exec("INSERT INTO channels VALUES (1, 'ahp-session:/s/annotations', 'annotations', 1, 0, 0, 0)");
  database.prepare('INSERT INTO snapshots VALUES (1, 1, ?)').run(json);
  extensionKeys?.up(database);
  const row = database.prepare<{ json: string }>('SELECT json FROM snapshots').get();
  expect(JSON.parse(row?.json ?? '')).toEqual({ text: said, _meta: { 'moorage.anchor': 1, 'moorage.lines': 'x' } });
  database.close();
});
