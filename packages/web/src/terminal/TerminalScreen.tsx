import type { Mirror } from '@ahpd/client';
import type { TerminalState } from '@ahpd/protocol';
import { useEffect, useRef } from 'react';
import { orTell } from '../ui/toasts.js';
import type { Screen } from './screen.js';

interface Props {
  readonly mirror: Mirror<'terminal'>;
  readonly state: TerminalState;
  /** Whether what is typed here goes to the program, and whether its size follows this window. */
  readonly mine: boolean;
  readonly onOpened?: (screen: Screen) => void;
}

/** The screen of a terminal. The emulator is large, so it is loaded with the first one. */
export function TerminalScreen({ mirror, state, mine, onOpened }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen>(undefined);
  const latest = useRef({ state, mine, onOpened });
  latest.current = { state, mine, onOpened };

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let ended = false;
    let observer: ResizeObserver | undefined;
    const opening = import('./screen.js').then(({ openScreen }) => {
      if (ended) return;
      const made = openScreen(element);
      screen.current = made;
      made.onInput((data) => {
        if (latest.current.mine) orTell(mirror.dispatch({ type: 'terminal/input', data }));
      });
      const fit = () => {
        const size = made.fit();
        const { state: now, mine: isMine } = latest.current;
        if (!size || !isMine || now.exitCode !== undefined || (now.cols === size.cols && now.rows === size.rows))
          return;
        orTell(mirror.dispatch({ type: 'terminal/resized', ...size }));
      };
      fit();
      made.setInteractive(latest.current.mine);
      made.show(latest.current.state);
      latest.current.onOpened?.(made);
      observer = new ResizeObserver(fit);
      observer.observe(element);
    });
    orTell(opening);
    return () => {
      ended = true;
      observer?.disconnect();
      screen.current?.dispose();
      screen.current = undefined;
    };
  }, [mirror]);

  useEffect(() => screen.current?.show(state), [state]);
  useEffect(() => screen.current?.setInteractive(mine), [mine]);
  return <div className="terminal-screen" ref={place} />;
}
