import type { URI } from '@moorage/protocol';
import { type Freshness, type StateId, type Workspace, WorkspaceError } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';
import { type Elsewhere, isGenerated, type TurnFolder } from './elsewhere.js';
import { MAX_ELSEWHERE_CHANGES } from './limits.js';
import type { OpenChangesets } from './open-changesets.js';
import type { Publisher } from './publisher.js';
import type { ChangeRecords } from './records.js';
import type { RunningTurn, RunningTurns } from './running-turns.js';
import type { SessionFolder } from './session-folders.js';
import type { SessionWork } from './session-work.js';

export interface LiveElsewhereOptions {
  readonly records: ChangeRecords;
  readonly running: RunningTurns;
  readonly elsewhere: Elsewhere;
  readonly work: SessionWork;
  readonly publisher: Publisher;
  readonly open: OpenChangesets;
}

/** A turn that runs, and what of its folders has changed since they were last looked at. */
interface Followed {
  readonly turn: RunningTurn;
  readonly folders: readonly { readonly folder: SessionFolder; readonly changed: Set<string> }[];
  reports: number;
  hasReports: boolean;
  isLooking: boolean;
  unwatch(): void;
}

/**
 * Shows what a turn changes elsewhere while it runs, whenever its folders come to rest. It looks at the paths that the
 * watcher has reported since, and at no others; what it leaves out is found when the turn ends.
 */
export class LiveElsewhere {
  readonly #context: HostContext;
  readonly #options: LiveElsewhereOptions;
  readonly #followed = new Map<string, Followed>();

  constructor(context: HostContext, options: LiveElsewhereOptions) {
    this.#context = context;
    this.#options = options;
  }

  begin(turn: RunningTurn, folders: readonly SessionFolder[]): void {
    this.end(turn);
    const watched = folders.map((folder) => ({ folder, changed: new Set<string>() }));
    const ends = watched.map(({ folder, changed }) =>
      folder.workspace.watch({
        touched: (paths) => noteChanged(changed, paths),
        settled: () => this.#look(followed),
      }),
    );
    const unwatch = () => {
      for (const end of ends) end();
    };
    const followed: Followed = { turn, folders: watched, reports: 0, hasReports: false, isLooking: false, unwatch };
    this.#followed.set(keyOf(turn), followed);
  }

  /** The agent may have reported edits, which need not be in a folder that is watched. */
  reported(turn: RunningTurn): void {
    const followed = this.#followed.get(keyOf(turn));
    if (!followed || this.#options.elsewhere.reports(turn) === followed.reports) return;
    followed.reports = this.#options.elsewhere.reports(turn);
    followed.hasReports = true;
    this.#look(followed);
  }

  end(turn: RunningTurn): void {
    this.#followed.get(keyOf(turn))?.unwatch();
    this.#followed.delete(keyOf(turn));
  }

  endAll(): void {
    for (const { turn } of [...this.#followed.values()]) this.end(turn);
  }

  /** However much changes meanwhile, only one more look follows. */
  #look(followed: Followed): void {
    if (followed.isLooking) return;
    followed.isLooking = true;
    void this.#options.work.run(followed.turn.session, async () => {
      try {
        while (this.#isDue(followed)) if (!(await this.#lookOnce(followed))) break;
      } catch (error) {
        if (!(error instanceof WorkspaceError)) throw error; // the end of the turn will tell
      } finally {
        followed.isLooking = false;
      }
    });
  }

  #isDue({ turn, folders, hasReports }: Followed): boolean {
    return this.#followed.has(keyOf(turn)) && (hasReports || folders.some(({ changed }) => changed.size > 0));
  }

  /** Returns false if it has to wait until the folder comes to rest again. */
  async #lookOnce(followed: Followed): Promise<boolean> {
    const { turn, folders } = followed;
    const { elsewhere, publisher, open } = this.#options;
    const [reports, hasReports] = [elsewhere.reports(turn), followed.hasReports];
    followed.hasReports = false;
    const at: TurnFolder[] = [];
    for (const { folder, changed } of folders) {
      const paths = [...changed];
      changed.clear();
      const one = await this.#folderNow(turn, folder, paths, hasReports);
      if (!one) {
        noteChanged(changed, paths);
        followed.hasReports ||= hasReports;
        return false;
      }
      at.push(one);
    }
    const session = this.#context.door.channels.find('session', turn.session);
    if (!this.#followed.has(keyOf(turn)) || !(await elsewhere.follow(turn, at, reports)) || !session) return true;
    publisher.showElsewhere(session);
    open.refresh(turn.session, 'elsewhere');
    return true;
  }

  /** The folder with what the turn has changed in it since the last time; undefined if that is for later. */
  async #folderNow(
    turn: RunningTurn,
    folder: SessionFolder,
    paths: readonly string[],
    hasReports: boolean,
  ): Promise<TurnFolder | undefined> {
    const { records, running } = this.#options;
    const { workspace } = folder;
    const begin = records.turn(folder, turn.turnId)?.begin;
    if (begin === undefined) return undefined;
    const touched: string[] = [];
    for (const path of paths)
      if (running.isTouchedBy(turn, workspace, path) && !(await workspace.find(begin, path))) touched.push(path);
    // What is not in the present state either is ignored. The watcher may not have reported yet what the agent has.
    const freshness = hasReports ? 'exact' : 'watched';
    const isSure = touched.length === 0 && !hasReports;
    const end = isSure ? begin : await this.#stateNow(turn, workspace, freshness);
    return end === undefined
      ? undefined
      : { workspace, folder: folder.path, folderUri: folder.uri, begin, end, touched };
  }

  /** Reads the whole folder, as its views do, only for somebody who follows the session. */
  async #stateNow({ session }: RunningTurn, workspace: Workspace, freshness: Freshness): Promise<StateId | undefined> {
    const state = await workspace.quickCheckpoint({ freshness });
    return state ?? (this.#context.door.subscriptions.has(session) ? workspace.checkpoint({ freshness }) : undefined);
  }
}

/** Paths beyond the bound are left to the end of the turn. */
function noteChanged(changed: Set<string>, paths: readonly string[]): void {
  for (const path of paths) {
    if (changed.size >= MAX_ELSEWHERE_CHANGES) return;
    if (!isGenerated(path)) changed.add(path);
  }
}

function keyOf({ session, turnId }: { readonly session: URI; readonly turnId: string }): string {
  return `${session} ${turnId}`;
}
