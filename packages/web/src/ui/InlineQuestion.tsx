import { type ReactNode, useEffect, useRef } from 'react';

interface Props {
  /** The question's name for screen readers. */
  readonly label: string;
  /** The label of the button that confirms. */
  readonly action: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly className?: string;
  /** The focused button. Use `cancel` for what cannot be undone. */
  readonly focus?: 'action' | 'cancel';
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks for confirmation of something destructive, in place of the button for it. Escape cancels. */
export function InlineQuestion({ label, action, children, className = '', focus = 'action', onYes, onNo }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const buttons = place.current?.querySelectorAll('button');
    buttons?.[focus === 'action' ? 0 : 1]?.focus({ preventScroll: true }); // it may be mounted again by scrolling, which must not move the page
  }, [focus]);
  return (
    <span
      ref={place}
      className={`ask-in-place ${className}`}
      role="alertdialog"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault(); // must not close a dialog around it
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
