import { decodeText } from '../../shared/files/content.js';
import type { ToolEnv } from '../tools/tool.js';
import { LineSearch } from './line-search.js';
import { ripgrep } from './ripgrep.js';

export interface Search {
  readonly pattern: string;
  readonly under: string;
  readonly glob: string | undefined;
  readonly ignoreCase: boolean;
}

export interface SearchResult {
  /** As path:line:text. */
  readonly lines: readonly string[];
  /** What the model should know about missing results. */
  readonly notes: readonly string[];
}

/** Files that are searched, and bytes of each and of all together: reading is what takes the time. */
const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;

/** Lines of a result. */
export const MAX_LINES = 200;

/** Milliseconds for the whole search: a regular expression may run for ever. */
export const SEARCH_MS = 20_000;

/** Searches files with ripgrep if it is installed, else with JavaScript's regular expressions. */
export async function searchFiles(search: Search, env: ToolEnv): Promise<SearchResult> {
  const { files, workingDirectory, turn } = env;
  const { shown } = await files.locateFolder(search.under);
  const found =
    workingDirectory === undefined ? undefined : await ripgrep(search, shown, workingDirectory, turn.signal);
  return found ?? searchOurselves(search, env);
}

async function searchOurselves({ pattern, under, glob, ignoreCase }: Search, env: ToolEnv): Promise<SearchResult> {
  const { files, turn, clock } = env;
  // As in ripgrep, a glob without a slash matches names in any folder.
  const anywhere = glob === undefined || glob.includes('/') ? glob : `**/${glob}`;
  const tree = await files.find({ under, glob: anywhere, maxFiles: MAX_FILES, signal: turn.signal });
  const lines: string[] = [];
  const notes = new Set<string>(tree.isComplete ? [] : ['not all files were looked at: narrow the search']);
  const engine = new LineSearch({ pattern, ignoreCase, maxMs: SEARCH_MS, clock, signal: turn.signal });
  let bytes = 0;
  try {
    for (const path of tree.files) {
      const { content } = await files.read(path, MAX_FILE_BYTES).catch(() => ({ content: undefined }));
      turn.signal.throwIfAborted();
      const text = content && decodeText(content.bytes);
      if (text === undefined) continue;
      bytes += text.length;
      const hits = await engine.search(text);
      if (!hits) return { lines, notes: [...notes, 'the search took too long and was ended: use a simpler pattern'] };
      for (const { line, text: shown } of hits) lines.push(`${path}:${line}:${shown}`);
      if (lines.length >= MAX_LINES) notes.add(`only the first ${MAX_LINES} lines are shown`);
      else if (bytes > MAX_BYTES) notes.add('not all files were looked at: narrow the search');
      else continue;
      return { lines: lines.slice(0, MAX_LINES), notes: [...notes] };
    }
    return { lines, notes: [...notes] };
  } finally {
    await engine.close();
  }
}
