/** An error message with a button to try again. */
export function Problem({ text, onRetry }: { readonly text: string; readonly onRetry: () => void }) {
  return (
    <div className="pane-note" role="alert">
      <p className="problem">{text}</p>
      <button type="button" className="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
