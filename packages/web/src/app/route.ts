import { useCallback, useEffect, useState } from 'react';

/** What is open. Kept in the URL's fragment, so that a reload and the back button work as expected. */
export interface Route {
  /** The host of the session, if it is not the one that serves the page. */
  readonly host?: string | undefined;
  readonly session?: string | undefined;
  readonly chat?: string | undefined;
  /** The turn that the conversation is opened at, instead of its end. */
  readonly turn?: string | undefined;
  /** The changeset under review. */
  readonly review?: string | undefined;
  /** The selected terminal. */
  readonly terminal?: string | undefined;
  /** What a phone shows. `new` is the prompt for a new session, everywhere. */
  readonly pane: Pane;
}

export type Pane = 'sessions' | 'new' | 'chat' | 'review' | 'terminals';
const PANES: readonly Pane[] = ['sessions', 'new', 'chat', 'review', 'terminals'];

/** Changes the route. With `replace`, the back button does not return to the current one. */
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
    turn: get('turn'),
    review: get('review'),
    terminal: get('terminal'),
    pane,
  };
}
