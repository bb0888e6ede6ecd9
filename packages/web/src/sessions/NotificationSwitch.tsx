import { Icon } from '../ui/Icon.js';
import { switchNotifications, useNotifications } from '../ui/notifications.js';
import { showFailure } from '../ui/toasts.js';

/** Turns browser notifications for sessions that need the user on and off. */
export function NotificationSwitch() {
  const state = useNotifications();
  if (state === 'none') return null;
  const on = state === 'on';
  return (
    <button
      type="button"
      className="sessions-foot"
      aria-pressed={on}
      disabled={state === 'blocked'}
      title={state === 'blocked' ? 'Allow them for this page in the browser settings' : undefined}
      onClick={() => showFailure(switchNotifications(!on))}
    >
      <Icon name="bell" />
      {state === 'blocked' ? 'Notifications are blocked' : `Notifications ${on ? 'on' : 'off'}`}
    </button>
  );
}
