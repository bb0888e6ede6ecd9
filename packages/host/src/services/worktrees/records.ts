import type { URI } from '@moorage/protocol';
import type { WorktreePlan } from '../../ports/worktrees.js';
import type { HostContext } from '../context.js';

/** The record of a session's work tree, from before it is made until after it is removed. */
export interface WorktreeRecord {
  /** The folder that the session was created for. */
  readonly source: string;
  /** After a crash, `making` and `removing` are completed or rolled back. */
  readonly state: 'making' | 'ready' | 'removing' | 'removed';
  /** Absent until path and branch are decided; nothing is on disk before that. */
  readonly plan?: WorktreePlan;
}

const UNFINISHED = 'unfinished';

/** The stored records. A `put` is stored with the next flush. */
export class WorktreeRecords {
  readonly #context: HostContext;

  constructor(context: HostContext) {
    this.#context = context;
  }

  of(session: URI): WorktreeRecord | undefined {
    const json = this.#context.door.documents.read('worktree', session);
    return json === undefined ? undefined : (JSON.parse(json) as WorktreeRecord);
  }

  put(session: URI, record: WorktreeRecord | undefined): void {
    const { door } = this.#context;
    const json = record && JSON.stringify(record);
    door.documents.put({ collection: 'worktree', key: session, session, json });
    const isUnfinished = record?.state === 'making' || record?.state === 'removing';
    const others = this.unfinished.filter((other) => other !== session);
    const unfinished = isUnfinished ? [...others, session] : others;
    door.documents.put({ collection: 'worktree', key: UNFINISHED, json: JSON.stringify(unfinished) });
  }

  /** Sessions whose work tree is being made or removed. */
  get unfinished(): readonly URI[] {
    const json = this.#context.door.documents.read('worktree', UNFINISHED);
    return json === undefined ? [] : (JSON.parse(json) as URI[]);
  }
}
