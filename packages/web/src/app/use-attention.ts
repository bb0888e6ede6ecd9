import { useEffect, useRef } from 'react';
import { pushChoice } from '../connection/push.js';
import { keyOf, type ListedSession } from '../connection/session-board.js';
import { waitingIn } from '../sessions/order.js';
import { notify } from '../ui/notifications.js';
import { showOnTabIcon } from '../ui/tab-icon.js';

/** Shows in the page's title and icon how many sessions wait for the user, and notifies of each new one while the page is hidden. */
export function useAttention(
  sessions: readonly ListedSession[] | undefined,
  title: string | undefined,
  onOpen: (session: ListedSession) => void,
): void {
  const waiting = waitingIn(sessions ?? []);
  const count = waiting.length;
  const before = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title ? `${title} · ` : ''}moorage`;
    showOnTabIcon(count);
  }, [count, title]);
  useEffect(() => {
    const known = before.current;
    before.current = new Set(waiting.map(keyOf));
    if (document.visibilityState === 'visible') return;
    for (const session of waiting) {
      const isPushed = session.host === undefined && pushChoice() !== 'nothing';
      if (known.has(keyOf(session)) || isPushed) continue;
      const about = [session.activity, session.host?.name].filter(Boolean).join(' · ');
      notify(`${session.title || 'A new session'} needs you`, about, keyOf(session), () => onOpen(session));
    }
  });
}
