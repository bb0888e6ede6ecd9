import type { URI } from '@ahpd/protocol';
import type { WorktreePlan } from '../../ports/worktrees.js';
import type { HostContext } from '../context.js';

/** What is known of the work tree of a session, from before it is made until after it is removed. */
export interface WorktreeRecord {
  /** The folder that was asked for. */
  readonly source: string;
  /** `making` and `removing` are finished or taken back after a crash. */
  readonly state: 'making' | 'ready' | 'removing' | 'removed';
  /** Absent until names are decided; nothing is on disk before. */
  readonly plan?: WorktreePlan;
}

const UNFINISHED = 'unfinished';

/** The records in the store; what is put is stored with the next flush. */
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

  /** The sessions whose work tree was being made or removed. */
  get unfinished(): readonly URI[] {
    const json = this.#context.door.documents.read('worktree', UNFINISHED);
    return json === undefined ? [] : (JSON.parse(json) as URI[]);
  }
}
