import {
  ANCHOR_META,
  type Annotation,
  type AnnotationAnchor,
  annotationsUri,
  sessionOfAnnotationsUri,
  type URI,
} from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import { ENDS_TURN } from '../../core/unsettled.js';
import type { ChangesetService } from '../changesets/changeset-service.js';
import type { HostContext } from '../context.js';
import type { FolderNews } from '../folder-news.js';
import { inTime } from '../in-time.js';
import { anchorIn, follow } from './anchor.js';
import { type Followed, FollowedPlaces, isSameSubject, subjectOf } from './followed.js';
import { SHOWN_AFTER_MS } from './limits.js';
import { SessionTexts } from './session-texts.js';

type Annotations = Channel<'annotations'>;

/** Follows what annotations are about: lines that moved are found again or said to be gone, never shown elsewhere. */
export class AnnotationService {
  readonly #context: HostContext;
  readonly #changesets: ChangesetService | undefined;
  readonly #news: FolderNews;
  readonly #places: FollowedPlaces;
  /** Channels that are to be looked at, and the look that is under way. */
  readonly #wanted = new Set<URI>();
  readonly #looking = new Map<URI, Promise<void>>();
  readonly #watched = new Map<URI, () => void>();
  #stopped = false;

  constructor(context: HostContext, changesets: ChangesetService | undefined, news: FolderNews) {
    this.#context = context;
    this.#changesets = changesets;
    this.#news = news;
    this.#places = new FollowedPlaces(context);
    const { door } = context;
    door.onCommitted('chat', ({ channel: { keeping }, action }) => {
      // What a turn renamed is known when it ends.
      const isWatched = keeping.kind === 'durable' && this.#watched.has(annotationsUri(keeping.session));
      if (isWatched && ENDS_TURN.has(action.type)) void this.look(keeping.session);
    });
    door.onCommitted('annotations', (committed) => this.#react(committed));
    door.subscriptions.onUsed((uri) => this.#watch(uri));
    door.subscriptions.onUnused((uri) => this.#unwatch(uri));
  }

  /** The annotations of a session, with what is remembered of each. */
  of(session: URI): { readonly annotation: Annotation; readonly followed: Followed | undefined }[] {
    const annotations = this.#channel(annotationsUri(session))?.state.annotations ?? [];
    return annotations.map((annotation) => ({ annotation, followed: this.#places.read(session, annotation.id) }));
  }

  /** Looks at the files now; resolves when every annotation says where its lines are. Never rejects. */
  async look(session: URI): Promise<void> {
    const uri = annotationsUri(session);
    if (this.#stopped) return;
    this.#wanted.add(uri);
    const looking = this.#looking.get(uri) ?? this.#lookAt(session, uri);
    this.#looking.set(uri, looking);
    await looking;
  }

  /** What to wait for before annotations are shown that nobody has watched for a while; undefined when there is nothing. */
  beforeShown(uri: URI): Promise<void> | undefined {
    const session = sessionOfAnnotationsUri(uri);
    if (session === undefined || this.#watched.has(uri) || !this.#channel(uri)?.state.annotations.length)
      return undefined;
    return inTime(this.look(session), SHOWN_AFTER_MS, this.#context.clock).then(() => this.#context.door.settle());
  }

  endSession(session: URI): void {
    this.#unwatch(annotationsUri(session));
  }

  async dispose(): Promise<void> {
    this.#stopped = true;
    for (const uri of [...this.#watched.keys()]) this.#unwatch(uri);
    await Promise.all(this.#looking.values());
  }

  #react({ channel, action, origin }: Committed<'annotations'>): void {
    const session = origin && sessionOfAnnotationsUri(channel.uri);
    if (session === undefined) return;
    if (action.type === 'annotations/set' || action.type === 'annotations/updated') void this.look(session);
    if (action.type === 'annotations/removed') this.#places.put(session, action.annotationId, undefined);
  }

  #watch(uri: URI): void {
    const session = sessionOfAnnotationsUri(uri);
    const folder = session && this.#context.door.channels.find('session', session)?.state.summary.workingDirectory;
    if (this.#stopped || !session || folder === undefined || this.#watched.has(uri)) return;
    const look = () => void this.look(session);
    this.#watched.set(uri, this.#news.listen(folder, { settled: look, watching: look }));
    void this.look(session);
  }

  #unwatch(uri: URI): void {
    this.#watched.get(uri)?.();
    this.#watched.delete(uri);
  }

  async #lookAt(session: URI, uri: URI): Promise<void> {
    try {
      while (this.#wanted.delete(uri) && !this.#stopped) await this.#lookOnce(session, uri);
    } catch (error) {
      this.#context.log.write('warn', 'annotations could not be followed', { error: String(error) });
    } finally {
      this.#looking.delete(uri);
    }
  }

  async #lookOnce(session: URI, uri: URI): Promise<void> {
    await undefined; // whoever subscribes just now sees what is stored first
    const owner = this.#context.door.channels.find('session', session);
    const channel = this.#channel(uri);
    if (!owner || !channel?.state.annotations.length) return;
    const texts = SessionTexts.of(this.#context, owner, this.#changesets);
    if (!texts) return; // a folder that is away for a while says nothing of its files
    for (const annotation of channel.state.annotations) {
      const subject = subjectOf(annotation);
      const path = texts.pathOf(annotation.resource);
      const anchor =
        path === undefined ? undefined : await this.#anchorOf(session, annotation.id, subject, path, texts);
      if (this.#stopped) return;
      this.#say(channel, annotation.id, subject, anchor);
    }
  }

  async #anchorOf(
    session: URI,
    id: string,
    subject: Followed,
    path: string,
    texts: SessionTexts,
  ): Promise<AnnotationAnchor | undefined> {
    const known = this.#places.read(session, id);
    let followed = known && isSameSubject(known, subject) ? known : undefined;
    if (!followed) {
      const text = await texts.pinned(subject, path);
      if (text === undefined) return undefined;
      followed = follow(subject, text);
      this.#places.put(session, id, followed);
    }
    const now = texts.pathNow(subject.turnId, path);
    const anchor = anchorIn(followed, await texts.current(now));
    const isElsewhere = now !== path && anchor !== undefined && anchor.state !== 'outdated';
    return isElsewhere ? { ...anchor, state: 'moved', resource: texts.uriOf(now) } : anchor;
  }

  /** Says what was found, if it is news and still about the same lines. */
  #say(channel: Annotations, id: string, subject: Followed, anchor: AnnotationAnchor | undefined): void {
    const annotation = channel.state.annotations.find((candidate) => candidate.id === id);
    if (!annotation || !isSameSubject(subjectOf(annotation), subject)) return;
    const { [ANCHOR_META]: said, ...others } = annotation._meta ?? {};
    if (JSON.stringify(said) === JSON.stringify(anchor)) return;
    const { _meta: _, ...rest } = annotation;
    const meta = anchor ? { ...others, [ANCHOR_META]: anchor } : others;
    const told = Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
    this.#context.door.commit(channel, { type: 'annotations/set', annotation: told });
  }

  #channel(uri: URI): Annotations | undefined {
    return this.#context.door.channels.find('annotations', uri);
  }
}
