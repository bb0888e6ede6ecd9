import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { focusComposer } from './focus.js';
import { IconButton } from './IconButton.js';
import { openDialogs } from './open-dialogs.js';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly className?: string;
}

/** A native modal dialog. It keeps the focus inside, and returns it when it closes. */
export function Dialog({ title, onClose, children, className = '' }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  // As a layout effect it ends before the element is removed, with what others have put into it.
  useLayoutEffect(() => (ref.current ? openDialogs.add(ref.current) : undefined), []);
  useEffect(() => {
    const opener = document.activeElement;
    if (!ref.current?.open) ref.current?.showModal();
    ref.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      // The browser returns the focus only when a dialog is closed, not when it is unmounted after a choice.
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
      if (document.activeElement === document.body) focusComposer();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={`dialog ${className}`}
      aria-label={title}
      // For other ways to close it, such as the back gesture of a phone.
      onClose={onClose}
      // The browser would close it at once but report that only later; in between, a key would find it neither open nor gone.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <header className="dialog-head">
        <h2>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}
