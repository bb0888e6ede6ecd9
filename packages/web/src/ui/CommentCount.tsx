import { plural } from './format.js';
import { Icon } from './Icon.js';

/** The number of comments, if there are any. */
export function CommentCount({ count }: { readonly count: number | undefined }) {
  if (!count) return null;
  return (
    <span className="comment-count">
      <Icon name="comment" />
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">{plural(count, 'comment')}</span>
    </span>
  );
}
