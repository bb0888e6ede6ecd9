import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Git } from '../../shared/git/git.js';
import { type LineEndSettings, type LineEnds, lineEndsOf } from '../../shared/git/line-ends.js';
import { readSmallFile } from '../../shared/git/read-small-file.js';
import { joinRecords, splitRecords } from '../../shared/git/records.js';
import type { Repository } from '../../shared/git/repository.js';
import { isTrusted } from '../../shared/git/repository-rules.js';

/** How git converts a file between its forms on disk and in the repository. */
export interface Conversion {
  readonly lineEnds: LineEnds;
  /** Only git can do it: it has a filter, an encoding, or an `$Id$` to be replaced. */
  readonly byGit: boolean;
  /** The filter that would have to run, but which only the repository configures. */
  readonly barredFilter?: string;
}

/** What the settings of the repository and of the user say about conversions. */
export interface ConversionSettings extends LineEndSettings {
  /** By name, whether the filter may run. Others are not configured, and git takes no notice of them. */
  readonly filters: ReadonlyMap<string, boolean>;
  /** Whether there are attributes besides those in the folder. */
  readonly hasAttributes: boolean;
  /** Changes with anything that these settings depend on. */
  readonly fingerprint: string;
}

/** Reads settings without running anything that they name. */
export async function readConversionSettings(
  git: Git,
  folder: string,
  repository: Repository,
): Promise<ConversionSettings> {
  const listed = await git.run(['config', '--list', '--show-scope', '-z'], { cwd: folder });
  const fields = listed.toString('latin1').split('\0');
  const trusted = await isTrusted(git, folder);
  const values = new Map<string, string>();
  const filters = new Map<string, boolean>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, entry = ''] = [fields[at], fields[at + 1]];
    const [, key = '', value = 'true'] = /^([^\n]*)(?:\n(.*))?$/s.exec(entry) ?? [];
    values.set(key, value);
    const filter = /^filter\.(.+)\.(?:clean|smudge|process)$/s.exec(key)?.[1];
    if (filter === undefined || value === '') continue;
    const isUsers = scope !== 'local' && scope !== 'worktree';
    filters.set(filter, filters.get(filter) === true || isUsers || trusted);
  }
  const autocrlf = values.get('core.autocrlf')?.toLowerCase() ?? 'false';
  const files = attributeFiles(repository, values.get('core.attributesfile'));
  const texts = await Promise.all(files.map((file) => readSmallFile(file)));
  return {
    autocrlf: autocrlf === 'input' ? 'input' : TRUE.has(autocrlf) ? 'true' : 'false',
    eol: values.get('core.eol')?.toLowerCase(),
    filters,
    hasAttributes: texts.some((text) => text !== undefined),
    fingerprint: JSON.stringify([autocrlf, values.get('core.eol'), [...filters], texts]),
  };
}

/** Where attributes may be besides in the folder itself. */
function attributeFiles({ top, prefix, exclude }: Repository, named: string | undefined): string[] {
  const home = process.env.HOME || homedir();
  const users =
    named?.replace(/^~(?=\/)/, home) ?? join(process.env.XDG_CONFIG_HOME || join(home, '.config'), 'git/attributes');
  const above = prefix === '' ? [] : prefix.split('/').map((_, depth, names) => names.slice(0, depth).join('/'));
  return [
    join(dirname(exclude), 'attributes'),
    resolve(top, users),
    '/etc/gitattributes',
    ...above.map((folder) => join(top, folder, '.gitattributes')),
  ];
}

const TRUE = new Set(['true', 'yes', 'on', '1']);

/** The conversions of those of these paths, relative to the top, that git converts. */
export async function conversionsOf(
  git: Git,
  { top }: Repository,
  paths: readonly string[],
  settings: ConversionSettings,
): Promise<Map<string, Conversion>> {
  const found = new Map<string, Conversion>();
  if (paths.length === 0) return found;
  const ask = ['check-attr', '-z', '--stdin', ...ATTRIBUTES];
  const fields = splitRecords(await git.run(ask, { cwd: top, input: joinRecords(paths) }));
  const attributes = new Map<string, Record<string, string>>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', name = '', value = ''] = fields.slice(at, at + 3);
    const known = attributes.get(path) ?? {};
    known[name] = value;
    attributes.set(path, known);
  }
  for (const [path, values] of attributes) {
    const { ident, filter = '', 'working-tree-encoding': encoding = '' } = values;
    const mayRun = settings.filters.get(filter);
    const conversion: Conversion = {
      lineEnds: lineEndsOf(values, settings),
      byGit: ident === 'set' || mayRun === true || !NO_VALUE.has(encoding),
      ...(mayRun === false && { barredFilter: filter }),
    };
    if (conversion.lineEnds !== 'none' || conversion.byGit || mayRun === false) found.set(path, conversion);
  }
  return found;
}

const ATTRIBUTES = ['text', 'crlf', 'eol', 'ident', 'filter', 'working-tree-encoding'];
const NO_VALUE = new Set(['', 'set', 'unset', 'unspecified']);
