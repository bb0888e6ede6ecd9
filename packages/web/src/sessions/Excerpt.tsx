import { Fragment } from 'react';
import { visible } from '../ui/visible.js';
import { aroundMarks, markedParts } from './marked-parts.js';

interface Props {
  readonly text: string;
  readonly query: string;
}

/** Some words of a conversation, with those that were searched for marked. */
export function Excerpt({ text, query }: Props) {
  return (
    <span className="excerpt">
      {aroundMarks(markedParts(visible(text), query)).map(({ at, part, isMarked }) =>
        isMarked ? <mark key={at}>{part}</mark> : <Fragment key={at}>{part}</Fragment>,
      )}
    </span>
  );
}
