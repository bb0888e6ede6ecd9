/** The number of sessions that wait for the user. */
export function NeedsYouBadge({ waiting }: { readonly waiting: number }) {
  if (waiting === 0) return null;
  return (
    <span className="badge">
      <span aria-hidden="true">{waiting}</span>
      <span className="visually-hidden"> {needsYouText(waiting)}</span>
    </span>
  );
}

export function needsYouText(waiting: number): string {
  return `${waiting} ${waiting === 1 ? 'needs' : 'need'} you`;
}
