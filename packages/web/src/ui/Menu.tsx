import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from './Icon.js';

export interface MenuItem {
  readonly label: string;
  /** The key that does the same where the menu was opened. */
  readonly hint?: string | undefined;
  /** A second line, such as why it is not possible now. */
  readonly about?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** For what is switched on and off. */
  readonly checked?: boolean | undefined;
  /** The id of the operation, for one that the host offers. */
  readonly operation?: string | undefined;
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
    menu.current?.showPopover(); // above everything, also if what it is in moves or clips its content
  }, []);
  useLayoutEffect(() => {
    const { width = 0, height = 0 } = menu.current?.getBoundingClientRect() ?? {};
    setPlace({ x: Math.max(4, Math.min(at.x, innerWidth - width - 4)), y: Math.min(at.y, innerHeight - height - 4) });
  }, [at]);
  useEffect(() => {
    const opener = document.activeElement;
    entriesOf(menu.current)[0]?.focus();
    const onPointer = (event: Event) => {
      // A click on the button that opened it closes it there.
      const isOurs = (element: Element | null) => event.target instanceof Node && element?.contains(event.target);
      if (!isOurs(menu.current) && !isOurs(opener === document.body ? null : opener)) close.current();
    };
    addEventListener('pointerdown', onPointer);
    return () => {
      removeEventListener('pointerdown', onPointer);
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const onKey = (event: KeyboardEvent) => {
    const entries = entriesOf(menu.current);
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
      popover="manual"
      tabIndex={-1}
      aria-label={label}
      className="point-menu"
      style={{ left: place.x, top: place.y }}
      onKeyDown={onKey}
    >
      {items.map(({ label: text, hint, about, disabled, checked, operation, run }) => (
        <button
          key={text}
          type="button"
          role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
          {...(checked !== undefined && { 'aria-checked': checked })}
          // Not `disabled`: the arrows must lead to it, so that the reason can be read.
          aria-disabled={disabled || undefined}
          data-operation={operation}
          onClick={() => {
            if (disabled) return;
            onClose();
            run();
          }}
        >
          <span className="menu-text">
            {text}
            {about && <span className="menu-about">{about}</span>}
          </span>
          {checked && <Icon name="check" />}
          {hint && <kbd>{hint}</kbd>}
        </button>
      ))}
    </div>
  );
}

function entriesOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
}
