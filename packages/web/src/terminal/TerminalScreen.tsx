import type { Mirror } from '@moorage/client';
import type { TerminalState } from '@moorage/protocol';
import { useEffect, useRef, useState } from 'react';
import { showFailure } from '../ui/toasts.js';
import { follow } from './follow.js';
import type { Screen } from './screen.js';

/** Who can type: only this client, this one and others, or only others. */
export type Typing = 'mine' | 'shared' | 'none';

interface Props {
  readonly mirror: Mirror<'terminal'>;
  readonly state: TerminalState;
  /** Also decides whose window the terminal's size follows: the owner's, or that of whoever is typing. */
  readonly typing: Typing;
  readonly onOpened?: (screen: Screen) => void;
}

/** The screen of a terminal. The emulator is large, so it loads with the first screen. */
export function TerminalScreen({ mirror, state, typing, onOpened }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [screen, setScreen] = useState<Screen>();
  /** Typed while the mirror is being replaced. */
  const typed = useRef('');
  const latest = useRef({ mirror, state, typing, onOpened });
  latest.current = { mirror, state, typing, onOpened };

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const ended = new AbortController();
    const { signal } = ended;
    const opening = import('./screen.js').then(({ openScreen }) => {
      if (signal.aborted) return;
      const made = openScreen(element);
      made.onInput((data) => {
        const { mirror: now, typing: who } = latest.current;
        if (who === 'none') return;
        if (now.status === 'gone') typed.current += data;
        else showFailure(now.dispatch({ type: 'terminal/input', data }));
      });
      const fit = () => {
        const size = made.fit();
        const { mirror: to, state: now, typing: who } = latest.current;
        const follows = who === 'mine' || (who === 'shared' && element.contains(document.activeElement));
        if (
          !size ||
          !follows ||
          now.lifecycle.status === 'exited' ||
          (now.cols === size.cols && now.rows === size.rows)
        )
          return;
        showFailure(to.dispatch({ type: 'terminal/resized', ...size }));
      };
      fit();
      const observer = new ResizeObserver(fit);
      observer.observe(element);
      element.addEventListener('focusin', fit, { signal });
      signal.addEventListener('abort', () => {
        observer.disconnect();
        made.dispose();
        setScreen(undefined);
      });
      setScreen(made);
      latest.current.onOpened?.(made);
    });
    showFailure(opening);
    return () => ended.abort();
  }, []);

  useEffect(() => {
    if (!screen) return;
    if (typed.current) showFailure(mirror.dispatch({ type: 'terminal/input', data: typed.current }));
    typed.current = '';
    return follow(mirror, screen);
  }, [mirror, screen]);
  useEffect(() => screen?.setInteractive(typing !== 'none'), [screen, typing]);
  return <div className="terminal-screen" ref={place} />;
}
