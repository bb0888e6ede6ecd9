import { changesetUri, type URI } from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { HostContext } from '../context.js';
import type { Counts } from './catalogue.js';

/** Milliseconds after which counts are published: the catalogue is stored, and need not follow every edit. */
const PUBLISH_MS = 1_000;

const KINDS = ['uncommitted', 'branch'] as const;

/**
 * How much the open changesets of the folder have, in the catalogues of their sessions. Counting for nobody would cost a
 * look at the folder after every edit, so counts are there while somebody has the changeset open.
 */
export class KnownCounts {
  readonly #context: HostContext;
  readonly #counts = new Map<URI, Counts>();
  readonly #due = new Set<URI>();

  constructor(context: HostContext) {
    this.#context = context;
  }

  /** The counts of a changeset have changed, or are no longer known. */
  set(session: URI, changeset: URI, counts: Counts | undefined): void {
    if (counts) this.#counts.set(changeset, counts);
    else if (!this.#counts.delete(changeset)) return;
    this.publishSoon(session);
  }

  /** Removes counts that were known before the host restarted. */
  onUsed(uri: URI): void {
    const session = this.#context.door.channels.peek(uri);
    if (!isKind(session, 'session')) return;
    const isCounted = session.state.changesets?.some((one) => one.files !== undefined && isOfFolder(one.changeKind));
    if (isCounted) this.publishSoon(uri);
  }

  publishSoon(session: URI): void {
    if (this.#due.has(session)) return;
    this.#due.add(session);
    this.#context.clock.setTimeout(() => {
      this.#due.delete(session);
      const channel = this.#context.door.channels.peek(session);
      if (isKind(channel, 'session') && this.#context.door.isOpen(channel)) this.#publish(channel);
    }, PUBLISH_MS);
  }

  /** The catalogue with the counts that are known now. */
  in(session: URI, changesets: NonNullable<Channel<'session'>['state']['changesets']>) {
    return changesets.map((entry) => {
      const kind = KINDS.find((one) => one === entry.changeKind);
      if (!kind) return entry;
      const { additions: _additions, deletions: _deletions, files: _files, ...bare } = entry;
      return { ...bare, ...this.#counts.get(changesetUri(session, { kind })) };
    });
  }

  #publish(session: Channel<'session'>): void {
    const { changesets: now } = session.state;
    const changesets = now && this.in(session.uri, now);
    if (!changesets || JSON.stringify(changesets) === JSON.stringify(now)) return;
    const again = () => this.publishSoon(session.uri);
    this.#context.door.commit(session, { type: 'session/changesetsChanged', changesets }, { again });
  }
}

function isOfFolder(kind: string): boolean {
  return KINDS.some((one) => one === kind);
}
