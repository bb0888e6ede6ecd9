import { useSyncExternalStore } from 'react';

/** `none`: the browser does not support them. `blocked`: the user has blocked them in the browser and must unblock them there. */
type State = 'none' | 'blocked' | 'off' | 'on';

const OFF_KEY = 'moorage.notifications';
const listeners = new Set<() => void>();

export function useNotifications(): State {
  return useSyncExternalStore(subscribe, notificationState);
}

export function notificationState(): State {
  if (!('Notification' in globalThis)) return 'none';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && localStorage.getItem(OFF_KEY) !== 'off' ? 'on' : 'off';
}

/** Turns notifications on or off. Asks for the browser's permission if that is still open. */
export async function switchNotifications(on: boolean): Promise<void> {
  if (on && Notification.permission === 'default') await Notification.requestPermission();
  if (on) localStorage.removeItem(OFF_KEY);
  else localStorage.setItem(OFF_KEY, 'off');
  for (const listener of listeners) listener();
}

/** Shows a notification if they are on. It replaces an earlier one with the same tag. */
export function notify(title: string, body: string, tag: string, onClick: () => void): void {
  if (notificationState() !== 'on') return;
  try {
    // Without `renotify`, which the types lack, a notification that replaces another one is silent.
    const options: NotificationOptions & { renotify: boolean } = { body, tag, renotify: true };
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
      onClick();
    };
  } catch {
    // Phone browsers have `Notification`, but only service workers may use it.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
