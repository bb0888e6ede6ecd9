import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Client } from '@moorage/client';
import { type ChangesetFile, ExtensionMeta } from '@moorage/protocol';
import { type Base, pathOf } from './paths.js';

/** Both sides of a changeset as files: `a` is before, `b` is after, as git names them. */
export interface Trees {
  readonly folder: string;
  /** Files whose contents are not available, with the reason. */
  readonly missing: readonly string[];
  remove(): void;
}

/** Parallel requests: enough to hide a slow link, few enough for the host. */
const READS_AT_ONCE = 8;

type TreeFile = Pick<ChangesetFile, 'edit' | '_meta'>;

interface Entry {
  readonly target: string;
  readonly bytes: Buffer;
  readonly mode: string;
}

/** Reads the contents of files from the host and writes them into a folder of their own. */
export async function writeTrees(client: Client, files: readonly TreeFile[], base: Base): Promise<Trees> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-diff-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const missing: string[] = [];
    const entries: Entry[] = [];
    const sides = files.flatMap((file) => (['before', 'after'] as const).map((side) => ({ file, side })));
    for (let start = 0; start < sides.length; start += READS_AT_ONCE) {
      const reading = sides.slice(start, start + READS_AT_ONCE).map(async ({ file, side }) => {
        const version = file.edit[side];
        if (!version) return;
        const path = pathOf(version.uri, base);
        const problem = problemOf(file, path);
        if (problem !== undefined) {
          if (side === 'after' || !file.edit.after) missing.push(`${path} (${problem})`);
          return;
        }
        const { data, encoding } = await client.request('resourceRead', {
          uri: version.content.uri,
          encoding: 'base64',
        });
        const bytes = Buffer.from(data, encoding === 'base64' ? 'base64' : 'utf8');
        entries.push({ target: join(folder, side === 'before' ? 'a' : 'b', path), bytes, mode: modeOf(file, side) });
      });
      await Promise.all(reading);
    }
    writeEntries(folder, entries);
    return { folder, missing, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Links come last, so that nothing is ever written through one. */
function writeEntries(folder: string, entries: readonly Entry[]): void {
  for (const side of ['a', 'b']) mkdirSync(join(folder, side));
  const isLink = ({ mode }: Entry) => mode === SYMLINK;
  for (const { target, bytes, mode } of entries.filter((entry) => !isLink(entry))) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes, { flag: 'wx' });
    chmodSync(target, mode === EXECUTABLE ? 0o755 : 0o644);
  }
  for (const { target, bytes } of entries.filter(isLink)) {
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(bytes, target);
  }
}

const SYMLINK = '120000';
const EXECUTABLE = '100755';
const PLAIN = '100644';

function modeOf({ _meta: notes = {} }: TreeFile, side: 'before' | 'after'): string {
  const modes = notes[ExtensionMeta.mode];
  if (typeof modes === 'object' && modes !== null && side in modes)
    return String((modes as Record<string, unknown>)[side]);
  if (notes[ExtensionMeta.symlink]) return SYMLINK;
  return notes[ExtensionMeta.executable] ? EXECUTABLE : PLAIN;
}

function problemOf({ _meta: notes = {} }: TreeFile, path: string): string | undefined {
  const segments = path.split('/');
  const isInside =
    !path.startsWith('/') && segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  if (!isInside || path.includes('\0')) return 'not a path inside the folder';
  const { submodule, tooLarge, storeFull, unreadable, contentLost, notFiltered } = ExtensionMeta;
  if (notes[submodule]) return 'a nested repository';
  if (notes[tooLarge] || notes[storeFull]) return 'too large to be kept';
  if (notes[unreadable] || notes[contentLost]) return 'its content could not be kept';
  if (notes[notFiltered] !== undefined) return `its filter "${String(notes[notFiltered])}" may not run on the host`;
  return undefined;
}
