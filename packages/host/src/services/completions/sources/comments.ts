import { annotationsUri, placeNow, type StringOrMarkdown, wordsOf } from '@moorage/protocol';
import type { AnnotationService } from '../../annotations/annotation-service.js';
import { decoded } from '../../decoded.js';
import { search, searchable } from '../fuzzy.js';
import { MAX_ITEMS_OF_SOURCE } from '../limits.js';
import type { CompletionSource, Suggestion } from '../source.js';

/** Comments on the session's code: one of them, or all open ones. */
export function commentSource(annotations: AnnotationService): CompletionSource {
  return {
    triggers: ['#'],
    complete({ session, word }) {
      const all = annotations.of(session.uri).map(({ annotation }) => annotation);
      const open = all.filter(({ resolved }) => !resolved);
      const resource = annotationsUri(session.uri);
      const allOpen: { key: string; item: Suggestion }[] =
        open.length > 0 ? [{ key: 'comments', item: item('#comments', `${open.length} open`, resource, open) }] : [];
      const single = [...open, ...all.filter(({ resolved }) => resolved)].map((annotation) => {
        const { range = annotation.range } = placeNow(annotation) ?? {};
        const name = decoded(annotation.resource.slice(annotation.resource.lastIndexOf('/') + 1));
        const where = range ? `${name}:${range.start.line + 1}` : name;
        const words = firstWords(annotation.entries[0]?.text ?? '');
        return { key: `comment ${where} ${words}`, item: item(`#${where}`, words, resource, [annotation]) };
      });
      const offered = [...allOpen, ...single];
      const matches = search(searchable(offered.map(({ key }) => key)), word.query, MAX_ITEMS_OF_SOURCE);
      return matches.flatMap(({ index }) => offered[index]?.item ?? []);
    },
  };
}

function item(insertText: string, words: string, resource: string, annotations: readonly { id: string }[]): Suggestion {
  const label = `${insertText.slice(1)} ${words}`.trim();
  const annotationIds = annotations.map(({ id }) => id);
  return { insertText, attachment: { type: 'annotations', label, displayKind: 'comment', resource, annotationIds } };
}

function firstWords(text: StringOrMarkdown): string {
  const line = wordsOf(text).trim().split('\n')[0] ?? '';
  return line.length > LABEL_CHARS ? `${line.slice(0, LABEL_CHARS - 1)}…` : line;
}

const LABEL_CHARS = 60;
