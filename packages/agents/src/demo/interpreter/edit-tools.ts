import type { AgentFiles } from '@moorage/host/ports';
import type { Validator } from '@moorage/protocol';
import { strict } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import {
  type FileChange,
  planAppend,
  planDelete,
  planRename,
  planReplace,
  planWrite,
} from '../../shared/files/change.js';

/** A tool that changes one file. Its input is what the user sees and may edit. */
export interface EditTool<Input> {
  readonly name: string;
  readonly displayName: string;
  /** Such as "Write", "Wrote" and (could not) "write". */
  readonly verbs: readonly [now: string, past: string, failed: string];
  readonly input: Validator<Input>;
  subject(input: Input): string;
  plan(files: AgentFiles, input: Input): Promise<FileChange>;
  /** Whether it replaces the whole file, which then must be as the user saw it when approving. */
  readonly replacesAll: boolean;
}

interface TextInput {
  path: string;
  text: string;
}

const text = strict(Type.Object({ path: Type.String(), text: Type.String() }));

export const writeTool: EditTool<TextInput> = {
  name: 'write',
  displayName: 'Write file',
  verbs: ['Write', 'Wrote', 'write'],
  input: text,
  subject: ({ path }) => path,
  plan: planWrite,
  replacesAll: true,
};

export const appendTool: EditTool<TextInput> = {
  name: 'append',
  displayName: 'Append to file',
  verbs: ['Append to', 'Appended to', 'append to'],
  input: text,
  subject: ({ path }) => path,
  plan: planAppend,
  replacesAll: false,
};

export const deleteTool: EditTool<{ path: string }> = {
  name: 'delete',
  displayName: 'Delete file',
  verbs: ['Delete', 'Deleted', 'delete'],
  input: strict(Type.Object({ path: Type.String() })),
  subject: ({ path }) => path,
  plan: planDelete,
  replacesAll: true,
};

export const renameTool: EditTool<{ from: string; to: string }> = {
  name: 'rename',
  displayName: 'Rename file',
  verbs: ['Rename', 'Renamed', 'rename'],
  input: strict(Type.Object({ from: Type.String(), to: Type.String() })),
  subject: ({ from, to }) => `${from} to ${to}`,
  plan: planRename,
  replacesAll: false,
};

export const replaceTool: EditTool<{ path: string; old: string; new: string }> = {
  name: 'replace',
  displayName: 'Replace in file',
  verbs: ['Replace in', 'Replaced in', 'replace in'],
  input: strict(Type.Object({ path: Type.String(), old: Type.String(), new: Type.String() })),
  subject: ({ path }) => path,
  plan: planReplace,
  replacesAll: false,
};
