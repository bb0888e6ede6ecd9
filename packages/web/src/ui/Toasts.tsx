import { useSyncExternalStore } from 'react';
import { IconButton } from './IconButton.js';
import { dismissToast, toastStore } from './toasts.js';

export function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get);
  return (
    <div className="toasts" role="status" aria-live="polite">
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
