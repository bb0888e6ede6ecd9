import { Type } from '@moorage/protocol/internal';
import { withReadableErrors } from '../../shared/files/read-file.js';
import { MAX_RESULT_CHARS } from '../limits.js';
import { cutMiddle } from './cut.js';
import { defineTool } from './tool.js';

/** Paths that `glob` returns. */
const MAX_FOUND = 500;

export const listTool = defineTool({
  name: 'list',
  displayName: 'List folder',
  description: 'Lists what is directly in a folder of the workspace; folders end with a slash.',
  isReadOnly: true,
  parameters: Type.Object({ path: Type.Optional(Type.String({ description: 'Default: the workspace folder.' })) }),
  prepare: ({ path = '.' }, { files }) => ({
    words: { now: `List ${path}`, past: `Listed ${path}`, failed: `Could not list ${path}` },
    run: async () => {
      const entries = await withReadableErrors(files.list(path));
      const lines = entries.map(({ name, type }) => (type === 'directory' ? `${name}/` : name));
      return { text: cutMiddle(lines.join('\n') || '(empty)', MAX_RESULT_CHARS) };
    },
  }),
});

export const globTool = defineTool({
  name: 'glob',
  displayName: 'Find files',
  kind: 'search',
  description:
    'Finds files of the workspace by a glob such as `src/**/*.ts` or `**/*.{js,ts}`. Folders named .git or node_modules are left out.',
  isReadOnly: true,
  parameters: Type.Object({
    pattern: Type.String({ minLength: 1, maxLength: 1_000 }),
    path: Type.Optional(Type.String({ description: 'The folder to look in. Default: the workspace folder.' })),
  }),
  prepare: ({ pattern, path = '.' }, { files, turn }) => ({
    words: { now: `Find ${pattern}`, past: `Found ${pattern}`, failed: `Could not look for ${pattern}` },
    run: async () => {
      const found = await withReadableErrors(
        files.find({ under: path, glob: pattern, maxFiles: MAX_FOUND, signal: turn.signal }),
      );
      const note = found.isComplete ? [] : ['[there may be more: narrow the pattern]'];
      return { text: [...found.files, ...note].join('\n') || 'No file matches.' };
    },
  }),
});
