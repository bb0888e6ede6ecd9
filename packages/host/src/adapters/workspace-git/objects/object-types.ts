import type { Shadow } from '../repository/shadow.js';

/** The types of these objects, as far as they exist and can be read. */
export async function typesOf(run: Shadow['run'], ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const input = `${[...new Set(ids)].join('\n')}\n`;
  const lines = (await run(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input })).toString();
  const pairs = lines.split('\n').map((line) => line.split(' ') as [string, string]);
  return new Map(pairs.filter(([id, type]) => id !== '' && type !== 'missing'));
}
