import type { URI } from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { HostContext } from '../context.js';
import { baseBranchOf } from './base-branch.js';
import { type Counts, catalogue, chatCatalogue, elsewhereEntry, joinedInfo, sumOf } from './catalogue.js';
import { checkpointWithActivity } from './checkpoint-with-activity.js';
import type { Elsewhere } from './elsewhere.js';
import { KnownCounts } from './known-counts.js';
import { Offers } from './offers.js';
import type { ChangeRecords } from './records.js';
import type { SessionChanges } from './session-changes.js';
import type { SessionFolder, SessionFolders } from './session-folders.js';
import { gitMeta, showInMeta } from './session-meta.js';
import type { SessionWork } from './session-work.js';

export interface PublisherOptions {
  readonly folders: SessionFolders;
  readonly records: ChangeRecords;
  readonly changes: SessionChanges;
  readonly elsewhere: Elsewhere;
  readonly work: SessionWork;
}

/** Publishes which changesets sessions and chats have, with their counts, and the branch of the session's folder. */
export class Publisher {
  readonly #context: HostContext;
  readonly #options: PublisherOptions;
  readonly #offers: Offers;
  readonly counts: KnownCounts;

  constructor(context: HostContext, options: PublisherOptions) {
    this.#context = context;
    this.#options = options;
    this.#offers = new Offers(context, (session, failures) => this.#offer(session, failures));
    this.counts = new KnownCounts(context);
  }

  onUsed(uri: URI): void {
    this.#offers.onUsed(uri);
    this.counts.onUsed(uri);
    this.#context.clock.defer(() => this.#showBranchAgain(uri));
  }

  /** Publishes the changesets of a session for the first time. */
  begin(session: Channel<'session'>): void {
    this.#offers.begin(session);
  }

  /** Publishes them again, in the background. */
  again(session: Channel<'session'>): void {
    void this.#options.work.run(session.uri, () => this.publish(session));
  }

  /** Does nothing if the session has no folder. */
  async publish(session: Channel<'session'>): Promise<void> {
    const { folders, changes, elsewhere } = this.#options;
    const all = folders.of(session);
    if (all.length === 0) return;
    const about = await this.#showBranch(session, all);
    const own = [];
    const counts = new Map<URI, Counts>();
    for (const folder of all) {
      const history = await changes.history(session, folder);
      own.push(...(await changes.inHistory(folder.workspace, history)));
      const byChat = await changes.countsByChat(session, folder.workspace, history);
      for (const [chat, some] of byChat) counts.set(chat, sumOf([counts.get(chat) ?? NOTHING_CHANGED, some]));
    }
    const changesets = this.counts.in(session.uri, catalogue(session.uri, about, own, elsewhere.changes(session.uri)));
    if (JSON.stringify(changesets) !== JSON.stringify(session.state.changesets)) {
      const again = (same: Channel<'session'>) => this.again(same);
      this.#context.door.commit(session, { type: 'session/changesetsChanged', changesets }, { again });
    }
    this.#publishInChats(session, counts);
  }

  /** Publishes only what is known of changes elsewhere, while a turn runs. */
  showElsewhere(session: Channel<'session'>): void {
    const { changesets } = session.state;
    if (!changesets || !this.#context.door.isOpen(session)) return; // it is published with the others
    const found = this.#options.elsewhere.changes(session.uri);
    const shown = [
      ...changesets.filter(({ changeKind }) => changeKind !== 'elsewhere'),
      ...(found.length > 0 ? [elsewhereEntry(session.uri, found)] : []),
    ];
    if (JSON.stringify(shown) === JSON.stringify(changesets)) return;
    const again = (same: Channel<'session'>) => this.again(same);
    this.#context.door.commit(session, { type: 'session/changesetsChanged', changesets: shown }, { again });
  }

  chatAdded(session: Channel<'session'>, chat: URI): void {
    this.#publishInChat(session, chat, NOTHING_CHANGED);
  }

  /** Returns false if it must be tried again. */
  async #offer(session: Channel<'session'>, failures: number): Promise<boolean> {
    const { work } = this.#options;
    let isOffered = false;
    const offer = async () => {
      await this.#publishFirst(session);
      isOffered = true;
    };
    await work.run(session.uri, offer, failures === 0 ? 'warn' : 'debug');
    return isOffered || work.isClosed;
  }

  async #publishFirst(session: Channel<'session'>): Promise<void> {
    const { folders, records } = this.#options;
    for (const folder of folders.of(session)) {
      if (records.session(folder).base) continue;
      // A turn may have started, and changed files, before this.
      const first = records.turns(folder).find(({ begin }) => begin !== '');
      const base = first?.begin ?? (await checkpointWithActivity(this.#context, session, folder.workspace));
      records.putBase(folder, base);
    }
    await this.publish(session);
  }

  /** The session's list of chats repeats the counts, so only chats whose counts changed are loaded. */
  #publishInChats(session: Channel<'session'>, counts: ReadonlyMap<URI, Counts>): void {
    const { door } = this.#context;
    if (!door.isOpen(session)) return;
    for (const { resource, changes } of session.state.chats) {
      const { additions, deletions, files } = counts.get(resource) ?? NOTHING_CHANGED;
      const isKnown = changes?.files === files && changes?.additions === additions && changes?.deletions === deletions;
      if (!isKnown) this.#publishInChat(session, resource, { additions, deletions, files });
    }
  }

  #publishInChat(session: Channel<'session'>, uri: URI, counts: Counts): void {
    const { door } = this.#context;
    // Before the session offers its changesets there may be no folder; then all chats are offered theirs with it.
    const chat = session.state.changesets ? door.channels.find('chat', uri) : undefined;
    if (!chat) return;
    const changesets = chatCatalogue(session.uri, uri, counts);
    if (JSON.stringify(changesets) === JSON.stringify(chat.state.changesets)) return;
    door.commit(chat, { type: 'chat/changesetsChanged', changesets }, { again: () => this.again(session) });
  }

  /** For a session that somebody opens: its branch may be another since its last turn. */
  #showBranchAgain(uri: URI): void {
    const { channels, subscriptions } = this.#context.door;
    const session = channels.peek(uri);
    if (!isKind(session, 'session') || !subscriptions.has(uri) || !session.state._meta?.git) return;
    void this.#options.work.run(uri, async () => {
      await this.#showBranch(session, this.#options.folders.of(session));
    });
  }

  /** The branch is that of the first folder; problems are those of all. */
  async #showBranch(session: Channel<'session'>, folders: readonly SessionFolder[]) {
    const infos = await Promise.all(
      folders.map((folder) =>
        folder.workspace.describe({ freshness: 'exact', baseBranch: baseBranchOf(session, folder) }),
      ),
    );
    const about = joinedInfo(infos, this.#options.folders.problem(session));
    showInMeta(this.#context.door, session, about.problem, infos[0] && gitMeta(infos[0]));
    return about;
  }
}

const NOTHING_CHANGED: Counts = { additions: 0, deletions: 0, files: 0 };
