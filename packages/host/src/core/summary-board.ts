import { annotationsUri, type SessionSummary, type URI } from '@ahpd/protocol';
import type { Channel } from './channel.js';
import type { ChannelTable } from './channel-table.js';
import { annotationCounts, projectSummary, summaryChanges } from './summary.js';

/** What lists show of each loaded session, and what was said of it last: the difference is news for root subscribers. */
export class SummaryBoard {
  readonly #announced = new Map<URI, SessionSummary>();
  readonly #channels: ChannelTable;

  constructor(channels: ChannelTable) {
    this.#channels = channels;
  }

  summaryOf(session: Channel<'session'>): SessionSummary {
    const resource = annotationsUri(session.uri);
    const channel = this.#channels.find('annotations', resource);
    const annotations = channel && annotationCounts(resource, channel.state);
    return { ...projectSummary(session.state), ...(annotations && { annotations }) };
  }

  /** Remembers a session as it is now; a change is measured against this. */
  remember(session: Channel<'session'>): void {
    if (!this.#announced.has(session.uri)) this.#announced.set(session.uri, this.summaryOf(session));
  }

  /** A session is announced for the first time. */
  introduce(session: Channel<'session'>): Announcement {
    const summary = this.summaryOf(session);
    this.#announced.set(session.uri, summary);
    return { summary, changes: summary, undo: () => this.forget(session.uri) };
  }

  /** What changed since the session was last announced, with the way to forget that it was. */
  announce(session: Channel<'session'>): Announcement | undefined {
    const before = this.#announced.get(session.uri);
    const summary = this.summaryOf(session);
    const changes = before && summaryChanges(before, summary);
    if (!changes) return undefined;
    this.#announced.set(session.uri, summary);
    return { summary, changes, undo: () => this.#announced.set(session.uri, before) };
  }

  forget(session: URI): void {
    this.#announced.delete(session);
  }
}

export interface Announcement {
  readonly summary: SessionSummary;
  readonly changes: Partial<SessionSummary>;
  readonly undo: () => void;
}
