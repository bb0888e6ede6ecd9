import { useCallback, useEffect, useState } from 'react';

/** What is open. It stands in the fragment, so that a reload and the back button do what one expects. */
export interface Route {
  /** The host that the session is on, where it is not the one that serves the page. */
  readonly host?: string | undefined;
  readonly session?: string | undefined;
  readonly chat?: string | undefined;
  /** The changeset under review. */
  readonly review?: string | undefined;
  /** The terminal that was chosen. */
  readonly terminal?: string | undefined;
  /** What a small screen shows. */
  readonly pane: Pane;
}

export type Pane = 'sessions' | 'chat' | 'review' | 'terminals';
const PANES: readonly Pane[] = ['sessions', 'chat', 'review', 'terminals'];

/** Goes somewhere else; `replace` where going back shall not lead to what is there now. */
export type Go = (change: Partial<Route>, how?: { readonly replace: boolean }) => void;

export function useRoute(): readonly [Route, Go] {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const read = () => setRoute(readRoute());
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, []);
  const go = useCallback<Go>((change, { replace } = { replace: false }) => {
    setRoute((now) => {
      const next = { ...now, ...change };
      const text = `#${new URLSearchParams(Object.entries(next).filter(([, value]) => value !== undefined) as string[][])}`;
      if (text !== location.hash) history[replace ? 'replaceState' : 'pushState'](null, '', text);
      return next;
    });
  }, []);
  return [route, go];
}

function readRoute(): Route {
  const found = new URLSearchParams(location.hash.slice(1));
  const get = (name: string) => found.get(name) ?? undefined;
  const pane = PANES.find((name) => name === get('pane')) ?? 'chat';
  return {
    host: get('host'),
    session: get('session'),
    chat: get('chat'),
    review: get('review'),
    terminal: get('terminal'),
    pane,
  };
}
