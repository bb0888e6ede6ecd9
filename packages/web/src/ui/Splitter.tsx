import { type KeyboardEvent, type PointerEvent, useCallback, useRef, useState } from 'react';

interface Limits {
  /** Names the width in this browser's storage. */
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Which side of the line the pane is on that gets wider and narrower. */
  readonly side: 'left' | 'right';
}

interface PaneWidth {
  /** In pixels; undefined as long as nobody has chosen one. */
  readonly width: number | undefined;
  readonly splitter: SplitterProps;
}

interface SplitterProps extends Limits {
  readonly width: number | undefined;
  readonly onWidth: (width: number | undefined) => void;
}

const STEP_PX = 24;

/** The width of a pane that the user can change, kept in this browser. */
export function usePaneWidth(limits: Limits): PaneWidth {
  const key = `moorage.width.${limits.name}`;
  const [width, setWidth] = useState(() => {
    const kept = Number(localStorage.getItem(key));
    return kept >= limits.min && kept <= limits.max ? kept : undefined;
  });
  const onWidth = useCallback(
    (next: number | undefined) => {
      setWidth(next);
      if (next === undefined) localStorage.removeItem(key);
      else localStorage.setItem(key, String(next));
    },
    [key],
  );
  return { width, splitter: { ...limits, width, onWidth } };
}

/** The line between two panes. It can be dragged, moved with the arrows, and reset with a double click. */
export function Splitter({ label, name, min, max, side, width, onWidth }: SplitterProps & { readonly label: string }) {
  const line = useRef<HTMLDivElement>(null);
  const drag = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const direction = side === 'left' ? 1 : -1;
  /** Of the pane as it is shown: it may have less room than was chosen. */
  const shown = () => {
    const pane = side === 'left' ? line.current?.previousElementSibling : line.current?.nextElementSibling;
    return pane?.getBoundingClientRect().width ?? width ?? min;
  };
  const set = (next: number) => onWidth(Math.round(Math.min(max, Math.max(min, next))));
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: shown() };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drag.current) set(drag.current.width + direction * (event.clientX - drag.current.x));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
    const step = steps[event.key];
    if (step !== undefined) set(shown() + direction * step * STEP_PX);
    else if (event.key === 'Home') set(side === 'left' ? min : max);
    else if (event.key === 'End') set(side === 'left' ? max : min);
    else if (event.key === 'Enter') onWidth(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a horizontal rule cannot be moved
    <div
      ref={line}
      className="splitter"
      data-pane={name}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width ?? min}
      aria-valuemin={min}
      aria-valuemax={max}
      title="Drag to change the width; double click for the usual one"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onPointerCancel={() => {
        drag.current = undefined;
      }}
      onDoubleClick={() => onWidth(undefined)}
      onKeyDown={onKeyDown}
    />
  );
}
