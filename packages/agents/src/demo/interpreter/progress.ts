import { createHash } from 'node:crypto';
import type { Static } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import type { FileChange } from '../../shared/files/change.js';

/** The file that an open question is about, with a digest of its content (absent for a new file). */
const PreviewSchema = Type.Object({
  uri: Type.String(),
  before: Type.Optional(Type.String()),
});
export type Preview = Static<typeof PreviewSchema>;

/** How far a turn has come. Saved when it starts to wait for the user, so that it can ask again after a restart. */
export const ProgressSchema = Type.Object({
  turnId: Type.String(),
  /** Steps started so far; the last of them is the one that waits. */
  taken: Type.Integer({ minimum: 1 }),
  /** Ids used before that step. */
  ids: Type.Integer({ minimum: 0 }),
  /** Steering messages, each with the number of steps that had been started before it. */
  steering: Type.Array(Type.Object({ after: Type.Integer(), text: Type.String() })),
  preview: Type.Optional(PreviewSchema),
});
export type Progress = Static<typeof ProgressSchema>;

export function previewOf({ before, after }: FileChange): Preview {
  const uri = (before ?? after)?.uri ?? '';
  return before ? { uri, before: createHash('sha256').update(before.bytes).digest('hex') } : { uri };
}
