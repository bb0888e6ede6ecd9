import { useSyncExternalStore } from 'react';

/** `none`: the browser has none here. `blocked`: somebody has forbidden them in the browser, where alone that is undone. */
type State = 'none' | 'blocked' | 'off' | 'on';

const OFF_KEY = 'ahpd.notifications';
const listeners = new Set<() => void>();

export function useNotifications(): State {
  return useSyncExternalStore(subscribe, notificationState);
}

export function notificationState(): State {
  if (!('Notification' in globalThis)) return 'none';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && localStorage.getItem(OFF_KEY) !== 'off' ? 'on' : 'off';
}

/** Asks the browser where it has not been asked yet. */
export async function switchNotifications(on: boolean): Promise<void> {
  if (on && Notification.permission === 'default') await Notification.requestPermission();
  if (on) localStorage.removeItem(OFF_KEY);
  else localStorage.setItem(OFF_KEY, 'off');
  for (const listener of listeners) listener();
}

/** Tells it if that is wanted. One with the same tag takes the place of the last. */
export function notify(title: string, body: string, tag: string, onClick: () => void): void {
  if (notificationState() !== 'on') return;
  try {
    // `renotify` is missing in the types: without it another one of the same tag comes without a sound.
    const options: NotificationOptions & { renotify: boolean } = { body, tag, renotify: true };
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
      onClick();
    };
  } catch {
    // Browsers of phones have the word, but let only service workers use it.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
