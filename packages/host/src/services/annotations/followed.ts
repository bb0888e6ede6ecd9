import { isDeepStrictEqual } from 'node:util';
import { type Annotation, ExtensionMeta, type TextRange, type URI } from '@moorage/protocol';
import type { HostContext } from '../context.js';
import type { Evidence } from './evidence.js';

/** An annotation's subject, and the record of its lines. There is no record for a file that cannot be read. */
export interface Followed {
  readonly turnId: string;
  readonly resource: URI;
  readonly range?: TextRange | undefined;
  readonly side: 'before' | 'after';
  /** The lines as the client saw them, if it sent them. */
  readonly seen?: string | undefined;
  readonly evidence?: Evidence | undefined;
  /** The text of the lines. */
  readonly quote?: string | undefined;
  /**
   * Whether the lines could not be found when they were recorded: the range lies outside the file, or other text is
   * there.
   */
  readonly isNowhere?: boolean;
}

/** An annotation's subject alone. A client can say in `_meta` that it shows the file before the turn. */
export function subjectOf({ origin: { turnId = '' }, resource, range, _meta }: Annotation): Followed {
  const seen = _meta?.[ExtensionMeta.lines];
  return {
    turnId,
    resource,
    ...(range && { range }),
    side: _meta?.[ExtensionMeta.side] === 'before' ? 'before' : 'after',
    ...(typeof seen === 'string' && { seen }),
  };
}

export function isSameSubject(a: Followed, b: Followed): boolean {
  const [one, other] = [a, b].map(({ evidence: _, quote: __, isNowhere: ___, ...subject }) => subject);
  return isDeepStrictEqual(one, other);
}

/** Stored beside the annotations, not in them, because clients can write annotations and must not forge the record. */
export class FollowedLocations {
  readonly #context: HostContext;

  constructor(context: HostContext) {
    this.#context = context;
  }

  read(session: URI, annotationId: string): Followed | undefined {
    const json = this.#context.door.documents.read('annotationPlace', keyOf(session, annotationId));
    return json === undefined ? undefined : (JSON.parse(json) as Followed);
  }

  put(session: URI, annotationId: string, followed: Followed | undefined): void {
    const key = keyOf(session, annotationId);
    const json = followed && JSON.stringify(followed);
    this.#context.door.documents.put({ collection: 'annotationPlace', key, session, json });
  }
}

function keyOf(session: URI, annotationId: string): string {
  return `${session} ${annotationId}`;
}
