import { switchNotifications, useNotifications } from '../app/notifications.js';
import { Icon } from '../ui/Icon.js';
import { orTell } from '../ui/toasts.js';

/** Whether the browser tells when a session needs its user. */
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
      title={state === 'blocked' ? 'Allow them for this page in the settings of the browser' : undefined}
      onClick={() => orTell(switchNotifications(!on))}
    >
      <Icon name="bell" />
      {state === 'blocked' ? 'Notifications are blocked' : `Notifications ${on ? 'on' : 'off'}`}
    </button>
  );
}
