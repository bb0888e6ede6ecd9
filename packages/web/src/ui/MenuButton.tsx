import { type ReactNode, useState } from 'react';
import { Menu, type MenuItem } from './Menu.js';

interface Props {
  /** What the menu is for, for screen readers and as the tooltip. */
  readonly label: string;
  readonly className: string;
  readonly items: readonly MenuItem[];
  readonly children: ReactNode;
}

/** A button with a menu below it. */
export function MenuButton({ label, className, items, children }: Props) {
  const [at, setAt] = useState<{ readonly x: number; readonly y: number }>();
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={at !== undefined}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          setAt(at ? undefined : { x: left, y: bottom + 2 });
        }}
      >
        {children}
      </button>
      {at && <Menu label={label} items={items} at={at} onClose={() => setAt(undefined)} />}
    </>
  );
}
