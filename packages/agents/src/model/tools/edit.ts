import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileEdit } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import { abortable } from '../../shared/abortable.js';
import { describeChange, isSameChange } from '../../shared/file-edit.js';
import { type FileChange, planDelete, planWrite } from '../../shared/files/change.js';
import { ToolProblem } from '../../shared/tool-problem.js';
import type { Approval } from '../approval/approval.js';
import { planEdits } from './plan-edits.js';
import { defineTool, type Prepared, type ToolEnv, type ToolOutput } from './tool.js';

const path = Type.String({ minLength: 1, description: 'Relative to the workspace folder, or absolute within it.' });
const old = Type.String({ minLength: 1, description: 'The exact text to replace; it must occur exactly once.' });
const all = Type.Optional(Type.Boolean({ description: 'Replace every occurrence.' }));

export const writeTool = defineTool({
  name: 'write',
  displayName: 'Write file',
  description: 'Creates a file of the workspace, or replaces all of its content. Prefer `edit` for a file that exists.',
  parameters: Type.Object({ path, content: Type.String() }),
  prepare: (input, env) =>
    prepareEdit(env, input.path, ['Write', 'Wrote', 'write'], true, () =>
      planWrite(env.files, { path: input.path, text: input.content }),
    ),
});

export const editTool = defineTool({
  name: 'edit',
  displayName: 'Edit file',
  description: 'Replaces a text in a file of the workspace. Read the file first.',
  parameters: Type.Object({ path, old, new: Type.String(), all }),
  prepare: (input, env) =>
    prepareEdit(env, input.path, ['Edit', 'Edited', 'edit'], false, () => planEdits(env.files, input.path, [input])),
});

export const multiEditTool = defineTool({
  name: 'multi_edit',
  displayName: 'Edit file',
  description:
    'Makes several replacements in one file, one after the other: all of them, or none when one is not possible.',
  parameters: Type.Object({
    path,
    edits: Type.Array(Type.Object({ old, new: Type.String(), all }), { minItems: 1, maxItems: 100 }),
  }),
  prepare: (input, env) =>
    prepareEdit(env, input.path, ['Edit', 'Edited', 'edit'], false, () =>
      planEdits(env.files, input.path, input.edits),
    ),
});

export const deleteTool = defineTool({
  name: 'delete',
  displayName: 'Delete file',
  description: 'Deletes a file of the workspace.',
  parameters: Type.Object({ path }),
  prepare: (input, env) =>
    prepareEdit(env, input.path, ['Delete', 'Deleted', 'delete'], true, () => planDelete(env.files, input)),
});

type Verbs = readonly [now: string, past: string, failed: string];

async function prepareEdit(
  env: ToolEnv,
  subject: string,
  [now, past, failed]: Verbs,
  replacesAll: boolean,
  plan: () => Promise<FileChange>,
): Promise<Prepared> {
  const { signal } = env.turn;
  const seen = await abortable(signal, plan());
  const edit = await describeChange(env.turn, seen);
  return {
    words: { now: `${now} ${subject}`, past: `${past} ${subject}`, failed: `Could not ${failed} ${subject}` },
    approval: approvalFor(seen, env.workingDirectory),
    edits: [edit],
    run: () => env.editing.run(() => make({ env, subject, seen, edit, replacesAll, plan, past })),
  };
}

interface Work {
  readonly env: ToolEnv;
  readonly subject: string;
  readonly seen: FileChange;
  readonly edit: FileEdit;
  /** Whether the whole file is replaced, which then must be as the user saw it. */
  readonly replacesAll: boolean;
  readonly past: string;
  plan(): Promise<FileChange>;
}

/** The user may have taken a while and other calls may have changed the file, so the change is worked out again. */
async function make({ env, subject, seen, edit, replacesAll, plan, past }: Work): Promise<ToolOutput> {
  env.turn.signal.throwIfAborted();
  const change = await plan();
  const isSame = isSameChange(seen, change);
  if (replacesAll && !isSame) {
    const message = `${subject} was changed by somebody else in the meantime, so it was left alone. Read it again.`;
    throw new ToolProblem('changed', message);
  }
  const made = isSame ? edit : await describeChange(env.turn, change);
  env.turn.signal.throwIfAborted();
  await change.apply();
  return { text: `${past} ${subject}.`, content: [{ type: 'fileEdit', ...made }] };
}

/** Files in .git may be run as code sooner or later, so the user is always asked about them. */
function approvalFor({ before, after }: FileChange, workingDirectory: string | undefined): Approval {
  const uri = after?.uri ?? before?.uri ?? '';
  if (/\/\.git(\/|$)/i.test(uri)) return {};
  const path = relative(workingDirectory ?? '/', fileURLToPath(uri));
  // Deleting is more than changing: whoever allows one has not allowed the other.
  const [kind, words] = after ? ['edit', 'edits of'] : ['delete', 'deleting'];
  return {
    grant: { key: `${kind} ${path}`, label: `${words} ${path.length > 60 ? `…${path.slice(-60)}` : path}` },
    wider: { key: kind, label: `${words} all files` },
  };
}
