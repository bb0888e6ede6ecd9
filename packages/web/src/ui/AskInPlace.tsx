import { type ReactNode, useEffect, useRef } from 'react';

interface Props {
  /** What is asked about, for who cannot see it. */
  readonly label: string;
  /** The words of the button that does it. */
  readonly action: string;
  /** What becomes of what. */
  readonly children: ReactNode;
  readonly className?: string;
  /** Where the next Enter goes; to "Cancel" where nothing could bring it back. */
  readonly focus?: 'action' | 'cancel';
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks once before something that destroys, where the button for it is. Escape is a no. */
export function AskInPlace({ label, action, children, className = '', focus = 'action', onYes, onNo }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const buttons = place.current?.querySelectorAll('button');
    buttons?.[focus === 'action' ? 0 : 1]?.focus({ preventScroll: true }); // one that comes back by scrolling moves nothing
  }, [focus]);
  return (
    <span
      ref={place}
      className={`ask-in-place ${className}`}
      role="alertdialog"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault(); // of a dialog around it, too
        event.stopPropagation();
        onNo();
      }}
    >
      <span className="ask-text">{children}</span>
      <button type="button" className="button danger" onClick={onYes}>
        {action}
      </button>
      <button type="button" className="button" onClick={onNo}>
        Cancel
      </button>
    </span>
  );
}
