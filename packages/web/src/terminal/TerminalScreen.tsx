import type { Mirror } from '@ahpd/client';
import type { TerminalState } from '@ahpd/protocol';
import { useEffect, useRef } from 'react';
import { orTell } from '../ui/toasts.js';
import type { Screen } from './screen.js';

/** Who types here: this client alone, this one and others, or not this one. */
export type Typing = 'mine' | 'shared' | 'none';

interface Props {
  readonly mirror: Mirror<'terminal'>;
  readonly state: TerminalState;
  /** Also says whose window the program's size follows: its owner's, or that of whoever is typing. */
  readonly typing: Typing;
  readonly onOpened?: (screen: Screen) => void;
}

/** The screen of a terminal. The emulator is large, so it is loaded with the first one. */
export function TerminalScreen({ mirror, state, typing, onOpened }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen>(undefined);
  const latest = useRef({ state, typing, onOpened });
  latest.current = { state, typing, onOpened };

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let ended = false;
    let observer: ResizeObserver | undefined;
    let stopListening: (() => void) | undefined;
    const opening = import('./screen.js').then(({ openScreen }) => {
      if (ended) return;
      const made = openScreen(element);
      screen.current = made;
      made.onInput((data) => {
        if (latest.current.typing !== 'none') orTell(mirror.dispatch({ type: 'terminal/input', data }));
      });
      const fit = () => {
        const size = made.fit();
        const { state: now, typing: who } = latest.current;
        const follows = who === 'mine' || (who === 'shared' && element.contains(document.activeElement));
        if (!size || !follows || now.exitCode !== undefined || (now.cols === size.cols && now.rows === size.rows))
          return;
        orTell(mirror.dispatch({ type: 'terminal/resized', ...size }));
      };
      fit();
      made.setInteractive(latest.current.typing !== 'none');
      made.show(latest.current.state);
      latest.current.onOpened?.(made);
      observer = new ResizeObserver(fit);
      observer.observe(element);
      element.addEventListener('focusin', fit);
      stopListening = () => element.removeEventListener('focusin', fit);
    });
    orTell(opening);
    return () => {
      ended = true;
      observer?.disconnect();
      stopListening?.();
      screen.current?.dispose();
      screen.current = undefined;
    };
  }, [mirror]);

  useEffect(() => screen.current?.show(state), [state]);
  useEffect(() => screen.current?.setInteractive(typing !== 'none'), [typing]);
  return <div className="terminal-screen" ref={place} />;
}
