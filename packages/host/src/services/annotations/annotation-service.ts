import {
  type Annotation,
  type AnnotationAnchor,
  annotationsUri,
  ExtensionMeta,
  sessionOfAnnotationsUri,
  type URI,
} from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { ChangesetService } from '../changesets/changeset-service.js';
import type { HostContext } from '../context.js';
import type { FolderChanges } from '../folder-changes.js';
import { inTime } from '../in-time.js';
import { anchorIn, follow } from './anchor.js';
import { type Followed, FollowedLocations, isSameSubject, subjectOf } from './followed.js';
import { SHOWN_AFTER_MS } from './limits.js';
import { SessionTexts } from './session-texts.js';

type Annotations = Channel<'annotations'>;

/**
 * Keeps annotations attached to their lines as files change. Lines that cannot be found for certain are marked
 * outdated, never shown in the wrong place.
 */
export class AnnotationService {
  readonly #context: HostContext;
  readonly #changesets: ChangesetService | undefined;
  readonly #folderChanges: FolderChanges;
  readonly #places: FollowedLocations;
  /** Channels to refresh, and the refreshes under way. */
  readonly #wanted = new Set<URI>();
  readonly #refreshing = new Map<URI, Promise<void>>();
  readonly #watched = new Map<URI, () => void>();
  #stopped = false;

  constructor(context: HostContext, changesets: ChangesetService | undefined, folderChanges: FolderChanges) {
    this.#context = context;
    this.#changesets = changesets;
    this.#folderChanges = folderChanges;
    this.#places = new FollowedLocations(context);
  }

  /** The annotations of a session, with the record of each one's lines. */
  of(session: URI): { readonly annotation: Annotation; readonly followed: Followed | undefined }[] {
    const annotations = this.#channel(annotationsUri(session))?.state.annotations ?? [];
    return annotations.map((annotation) => ({ annotation, followed: this.#places.read(session, annotation.id) }));
  }

  /** Reads the files now; resolves when every annotation says where its lines are. Never rejects. */
  async refresh(session: URI): Promise<void> {
    const uri = annotationsUri(session);
    if (this.#stopped) return;
    this.#wanted.add(uri);
    const refreshing = this.#refreshing.get(uri) ?? this.#refreshWhileWanted(session, uri);
    this.#refreshing.set(uri, refreshing);
    await refreshing;
  }

  /**
   * What to wait for before sending a snapshot of annotations that nobody has watched for a while; undefined if
   * nothing.
   */
  beforeSnapshot(uri: URI): Promise<void> | undefined {
    const session = sessionOfAnnotationsUri(uri);
    if (session === undefined || this.#watched.has(uri) || !this.#channel(uri)?.state.annotations.length)
      return undefined;
    return inTime(this.refresh(session), SHOWN_AFTER_MS, this.#context.clock).then(() => undefined);
  }

  sessionDisposed(session: URI): void {
    this.onUnused(annotationsUri(session));
  }

  async dispose(): Promise<void> {
    this.#stopped = true;
    for (const uri of [...this.#watched.keys()]) this.onUnused(uri);
    await Promise.all(this.#refreshing.values());
  }

  /** A turn's renames are known when it ends. */
  onTurnEnded({ channel: { keeping } }: Committed<'chat'>): void {
    const isWatched = keeping.kind === 'durable' && this.#watched.has(annotationsUri(keeping.session));
    if (isWatched) void this.refresh(keeping.session);
  }

  onAnnotations({ channel, action, origin }: Committed<'annotations'>): void {
    const session = origin && sessionOfAnnotationsUri(channel.uri);
    if (session === undefined) return;
    if (action.type === 'annotations/set' || action.type === 'annotations/updated') void this.refresh(session);
    if (action.type === 'annotations/removed') this.#places.put(session, action.annotationId, undefined);
  }

  onUsed(uri: URI): void {
    const session = sessionOfAnnotationsUri(uri);
    const holder = session === undefined ? undefined : this.#context.door.channels.find('session', session);
    const folders = holder?.state.workingDirectories ?? [];
    if (this.#stopped || !session || folders.length === 0 || this.#watched.has(uri)) return;
    const refresh = () => void this.refresh(session);
    const ends = folders.map((folder) => this.#folderChanges.listen(folder, { settled: refresh, watching: refresh }));
    this.#watched.set(uri, () => {
      for (const end of ends) end();
    });
    void this.refresh(session);
  }

  /** The session has other folders than before. */
  onFolders({ channel: { uri } }: Committed<'session'>): void {
    const annotations = annotationsUri(uri);
    if (!this.#watched.has(annotations)) return;
    this.onUnused(annotations);
    this.onUsed(annotations);
  }

  onUnused(uri: URI): void {
    this.#watched.get(uri)?.();
    this.#watched.delete(uri);
  }

  async #refreshWhileWanted(session: URI, uri: URI): Promise<void> {
    try {
      while (this.#wanted.delete(uri) && !this.#stopped) await this.#refreshOnce(session, uri);
    } catch (error) {
      this.#context.log.write('warn', 'annotations.follow-failed', 'finding where comments are now failed', {
        error: String(error),
      });
    } finally {
      this.#refreshing.delete(uri);
    }
  }

  async #refreshOnce(session: URI, uri: URI): Promise<void> {
    await undefined; // a client that is just subscribing gets its snapshot first
    const owner = this.#context.door.channels.find('session', session);
    const channel = this.#channel(uri);
    if (!owner || !channel?.state.annotations.length) return;
    const folders = SessionTexts.ofEach(this.#context, owner, this.#changesets);
    const isMissing = folders.length < (owner.state.workingDirectories?.length ?? 0);
    for (const annotation of channel.state.annotations) {
      const subject = subjectOf(annotation);
      const texts = folders.find((folder) => folder.pathOf(annotation.resource) !== undefined);
      if (!texts && isMissing) continue; // a folder that is missing for now says nothing about its files
      const path = texts?.pathOf(annotation.resource);
      const anchor =
        texts && path !== undefined ? await this.#anchorOf(session, annotation.id, subject, path, texts) : undefined;
      if (this.#stopped) return;
      this.#publish(channel, annotation.id, subject, anchor);
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

  /** Publishes an anchor if it has changed and the annotation is still about the same lines. */
  #publish(channel: Annotations, id: string, subject: Followed, anchor: AnnotationAnchor | undefined): void {
    const annotation = channel.state.annotations.find((candidate) => candidate.id === id);
    if (!annotation || !isSameSubject(subjectOf(annotation), subject)) return;
    const { [ExtensionMeta.anchor]: published, ...others } = annotation._meta ?? {};
    if (JSON.stringify(published) === JSON.stringify(anchor)) return;
    const { _meta: _, ...rest } = annotation;
    const meta = anchor ? { ...others, [ExtensionMeta.anchor]: anchor } : others;
    const updated = Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
    this.#context.door.commit(channel, { type: 'annotations/set', annotation: updated });
  }

  #channel(uri: URI): Annotations | undefined {
    return this.#context.door.channels.find('annotations', uri);
  }
}
