import { useEffect, useState } from 'react';
import { durationText } from './format.js';

/** Counts the seconds since a time. The timer role keeps screen readers from reading out each one. */
export function Elapsed({ since }: { readonly since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((now - since) / 1_000);
  return <span role="timer">{seconds > 0 && durationText(seconds * 1_000)}</span>;
}
