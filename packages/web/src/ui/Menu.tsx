import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface MenuItem {
  readonly label: string;
  /** The key that does the same where the menu was opened. */
  readonly hint?: string;
  readonly run: () => void;
}

interface Props {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Where it opens, in the window. */
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

/** A menu at a point. Arrows move, Escape and a click elsewhere close it, and the focus goes back. */
export function Menu({ label, items, at, onClose }: Props) {
  const menu = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState(at);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const { width = 0, height = 0 } = menu.current?.getBoundingClientRect() ?? {};
    setPlace({ x: Math.max(4, Math.min(at.x, innerWidth - width - 4)), y: Math.min(at.y, innerHeight - height - 4) });
  }, [at]);
  useEffect(() => {
    const opener = document.activeElement;
    menu.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const onPointer = (event: Event) => {
      if (!(event.target instanceof Node && menu.current?.contains(event.target))) close.current();
    };
    addEventListener('pointerdown', onPointer);
    return () => {
      removeEventListener('pointerdown', onPointer);
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const onKey = (event: KeyboardEvent) => {
    const entries = [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const from = entries.indexOf(event.target as HTMLElement);
    if (event.key === 'ArrowDown') entries[(from + 1) % entries.length]?.focus();
    else if (event.key === 'ArrowUp') entries.at(from - 1)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className="point-menu"
      style={{ left: place.x, top: place.y }}
      onKeyDown={onKey}
    >
      {items.map(({ label: text, hint, run }) => (
        <button
          key={text}
          type="button"
          role="menuitem"
          onClick={() => {
            onClose();
            run();
          }}
        >
          {text}
          {hint && <kbd>{hint}</kbd>}
        </button>
      ))}
    </div>
  );
}
