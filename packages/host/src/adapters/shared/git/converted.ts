import type { Git } from './git.js';
import { joinRecords, splitRecords } from './records.js';
import type { Repository } from './repository.js';

const CONVERTING_ATTRIBUTES = ['text', 'crlf', 'eol', 'ident', 'filter', 'working-tree-encoding'];

/** Which of these paths, relative to the top, may be stored as other bytes than they have on disk. */
export async function convertedPaths(git: Git, { top }: Repository, paths: readonly string[]): Promise<Set<string>> {
  const autocrlf = await git.run(['config', '--get', 'core.autocrlf'], { cwd: top, accept: [1] });
  if (!['', 'false'].includes(autocrlf.toString().trim())) return new Set(paths);
  const ask = ['check-attr', '-z', '--stdin', ...CONVERTING_ATTRIBUTES];
  const fields = splitRecords(await git.run(ask, { cwd: top, input: joinRecords(paths) }));
  const converted = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', , value = ''] = fields.slice(at, at + 3);
    if (value !== 'unspecified' && value !== 'unset') converted.add(path);
  }
  return converted;
}
