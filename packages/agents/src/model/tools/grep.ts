import { Type } from '@moorage/protocol/internal';
import { withReadableErrors } from '../../shared/files/read-file.js';
import { ToolProblem } from '../../shared/tool-problem.js';
import { MAX_RESULT_CHARS } from '../limits.js';
import { searchFiles } from '../search/search-files.js';
import { cutMiddle } from './cut.js';
import { defineTool } from './tool.js';

export const grepTool = defineTool({
  name: 'grep',
  displayName: 'Search in files',
  kind: 'search',
  description:
    'Searches the text files of the workspace for a regular expression and gives the lines as path:line:text. Narrow it with `path` (a folder) and `glob`.',
  isReadOnly: true,
  parameters: Type.Object({
    pattern: Type.String({ minLength: 1, maxLength: 2_000 }),
    path: Type.Optional(Type.String()),
    glob: Type.Optional(Type.String({ maxLength: 1_000 })),
    ignore_case: Type.Optional(Type.Boolean()),
  }),
  prepare: ({ pattern, path = '.', glob, ignore_case: ignoreCase = false }, env) => {
    expectRegExp(pattern);
    return {
      words: { now: `Search ${pattern}`, past: `Searched ${pattern}`, failed: `Could not search ${pattern}` },
      run: async () => {
        const { lines, notes } = await withReadableErrors(searchFiles({ pattern, under: path, glob, ignoreCase }, env));
        if (lines.length === 0 && notes.length === 0) return { text: 'No line matches.' };
        return { text: cutMiddle([...lines, ...notes.map((note) => `[${note}]`)].join('\n'), MAX_RESULT_CHARS) };
      },
    };
  },
});

function expectRegExp(pattern: string): void {
  try {
    new RegExp(pattern);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : '';
    throw new ToolProblem('badPattern', `The pattern is no regular expression: ${why}`, { cause });
  }
}
