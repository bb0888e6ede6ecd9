import { countOf } from './format.js';

/** Lines added and removed. */
export function Counts({
  added,
  removed,
}: {
  readonly added?: number | undefined;
  readonly removed?: number | undefined;
}) {
  if (!added && !removed) return null;
  return (
    <span className="counts">
      <span className="visually-hidden">{`${added ?? 0} lines added, ${removed ?? 0} removed`}</span>
      {!!added && (
        <span className="added" aria-hidden="true">
          +{countOf(added)}
        </span>
      )}
      {!!removed && (
        <span className="removed" aria-hidden="true">
          −{countOf(removed)}
        </span>
      )}
    </span>
  );
}
