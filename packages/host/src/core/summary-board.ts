import { annotationsUri, type SessionSummary, type URI } from '@moorage/protocol';
import type { Channel } from './channel.js';
import type { ChannelTable } from './channel-table.js';
import { annotationCounts, projectSummary, summaryChanges } from './summary.js';

/** Remembers the summary last announced for each loaded session, to find out what root subscribers must be told. */
export class SummaryBoard {
  readonly #announced = new Map<URI, SessionSummary>();
  readonly #channels: ChannelTable;
  /** Whether a session is in no list, so that nobody must be told of it. */
  isUnlisted: (session: URI) => boolean = () => false;

  constructor(channels: ChannelTable) {
    this.#channels = channels;
  }

  summaryOf(session: Channel<'session'>): SessionSummary {
    const resource = annotationsUri(session.uri);
    const channel = this.#channels.find('annotations', resource);
    const annotations = channel && annotationCounts(resource, channel.state);
    return { ...projectSummary(session.uri, session.state), ...(annotations && { annotations }) };
  }

  /** Notes the summary before a change, unless one is noted already; `announce` compares with it. */
  remember(session: Channel<'session'>): void {
    if (!this.#announced.has(session.uri)) this.#announced.set(session.uri, this.summaryOf(session));
  }

  /** The first announcement of a session. */
  introduce(session: Channel<'session'>): Announcement {
    const summary = this.summaryOf(session);
    this.#announced.set(session.uri, summary);
    return { summary, changes: summary, undo: () => this.forget(session.uri) };
  }

  /** What changed since the last announcement, and how to undo having announced it; undefined when nothing did. */
  announce(session: Channel<'session'>): Announcement | undefined {
    if (this.isUnlisted(session.uri)) return undefined;
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
