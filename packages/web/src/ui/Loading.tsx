/** Appears only after a moment, so that fast loads do not flicker. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <div className="loading-box" role="status">
      <span className="visually-hidden">Loading the {what}</span>
      <span className="skeleton" />
      <span className="skeleton short" />
      <span className="skeleton" />
    </div>
  );
}
