import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { FileChange } from '../../shared/files/change.js';

/** What an open question showed of a file: where it is, and a digest of what was in it (absent for a new file). */
const PreviewSchema = Type.Object({
  uri: Type.String(),
  before: Type.Optional(Type.String()),
});
export type Preview = Static<typeof PreviewSchema>;

/** How far a turn has come, saved when it starts to wait for the user: enough to ask again after a restart. */
export const ProgressSchema = Type.Object({
  turnId: Type.String(),
  /** Steps begun so far; the last of them is the one that waits. */
  taken: Type.Integer({ minimum: 1 }),
  /** Ids given out before that step. */
  ids: Type.Integer({ minimum: 0 }),
  /** Steering messages, each with the number of steps after which it was taken. */
  steering: Type.Array(Type.Object({ after: Type.Integer(), text: Type.String() })),
  preview: Type.Optional(PreviewSchema),
});
export type Progress = Static<typeof ProgressSchema>;

export function previewOf({ before, after }: FileChange): Preview {
  const uri = (before ?? after)?.uri ?? '';
  return before ? { uri, before: createHash('sha256').update(before.bytes).digest('hex') } : { uri };
}
