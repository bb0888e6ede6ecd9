import { useEffect, useRef } from 'react';

/** Says in the title of the page how many sessions wait, and tells who allowed it when one more does. */
export function useAttention(waiting: number, title: string | undefined): void {
  const before = useRef(waiting);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title ? `${title} · ` : ''}ahpd`;
  }, [waiting, title]);
  useEffect(() => {
    const more = waiting > before.current;
    before.current = waiting;
    if (!more || document.visibilityState === 'visible' || !('Notification' in globalThis)) return;
    if (Notification.permission === 'granted') new Notification('A session needs you', { tag: 'ahpd' });
  }, [waiting]);
}
