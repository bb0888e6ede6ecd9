import { Type } from '@moorage/protocol/internal';
import { existing, fileText, MAX_EDIT_BYTES } from '../../shared/files/content.js';
import { readFile } from '../../shared/files/read-file.js';
import { MAX_RESULT_CHARS } from '../limits.js';
import { cutMiddle } from './cut.js';
import { defineTool } from './tool.js';

export const readTool = defineTool({
  name: 'read',
  displayName: 'Read file',
  kind: 'read',
  description:
    'Reads a text file of the workspace. Give `offset` (first line, from 1) and `limit` (lines) to read a part of a long file.',
  isReadOnly: true,
  parameters: Type.Object({
    path: Type.String({ minLength: 1 }),
    offset: Type.Optional(Type.Integer({ minimum: 1 })),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  prepare: ({ path, offset = 1, limit }, { files }) => ({
    words: { now: `Read ${path}`, past: `Read ${path}`, failed: `Could not read ${path}` },
    run: async () => {
      const file = await readFile(files, path, MAX_EDIT_BYTES);
      const text = fileText(file, existing(file));
      if (offset === 1 && limit === undefined) return { text: cutMiddle(text, MAX_RESULT_CHARS) };
      const lines = text.split('\n');
      const part = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit);
      const note = `[lines ${offset} to ${offset - 1 + part.length} of ${lines.length}]`;
      return { text: cutMiddle(`${note}\n${part.join('\n')}`, MAX_RESULT_CHARS) };
    },
  }),
});
