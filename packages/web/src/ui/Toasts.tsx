import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from './IconButton.js';
import { openDialogs } from './open-dialogs.js';
import { dismissToast, toastStore } from './toasts.js';

/** Messages above everything. They are a part of the modal dialog that is open: what is outside of it takes no clicks. */
export function Toasts() {
  const dialog = useSyncExternalStore(openDialogs.subscribe, openDialogs.top);
  return createPortal(<ToastBox key={dialog ? 'dialog' : 'page'} />, dialog ?? document.body);
}

function ToastBox() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get);
  const box = useRef<HTMLDivElement>(null);
  const newest = toasts.at(-1)?.id;
  // A popover is not cut off by the dialog's borders; shown again, it is above a menu that was opened since.
  useLayoutEffect(() => {
    if (newest === undefined) return;
    const shown = box.current;
    shown?.showPopover();
    return () => shown?.hidePopover();
  }, [newest]);
  return (
    <div ref={box} popover="manual" className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, tone, text, action }) => (
        <div key={id} className={`toast toast-${tone}`}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              className="button"
              onClick={() => {
                dismissToast(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton icon="close" label="Dismiss" onClick={() => dismissToast(id)} />
        </div>
      ))}
    </div>
  );
}
