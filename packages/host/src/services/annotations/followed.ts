import { isDeepStrictEqual } from 'node:util';
import { type Annotation, LINES_META, type TextRange, type URI } from '@ahpd/protocol';
import type { HostContext } from '../context.js';
import type { Evidence } from './evidence.js';

/** What an annotation is about, and what is remembered of it. Nothing is remembered of a file that cannot be read. */
export interface Followed {
  readonly turnId: string;
  readonly resource: URI;
  readonly range?: TextRange | undefined;
  readonly side: 'before' | 'after';
  /** The lines as the client saw them, if it says so. */
  readonly seen?: string | undefined;
  readonly evidence?: Evidence | undefined;
  /** What the lines were. */
  readonly quote?: string | undefined;
  /** The range lies outside of the file as it was. */
  readonly isNowhere?: boolean;
}

/** What an annotation is about, without what is remembered. A page may say that it shows the file before the turn. */
export function subjectOf({ turnId, resource, range, _meta }: Annotation): Followed {
  const seen = _meta?.[LINES_META];
  return {
    turnId,
    resource,
    ...(range && { range }),
    side: _meta?.side === 'before' ? 'before' : 'after',
    ...(typeof seen === 'string' && { seen }),
  };
}

export function isSameSubject(a: Followed, b: Followed): boolean {
  const [one, other] = [a, b].map(({ evidence: _, quote: __, isNowhere: ___, ...subject }) => subject);
  return isDeepStrictEqual(one, other);
}

/** Kept beside the annotations and not in them: what a client says of its own accord is no evidence. */
export class FollowedPlaces {
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
