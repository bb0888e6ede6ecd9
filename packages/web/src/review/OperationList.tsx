import type { ChangesetOperationScope, ChangesetOperationTarget } from '@ahpd/protocol';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../ui/IconButton.js';
import { OperationButton } from './OperationButton.js';
import { useOperations } from './use-operations.js';

interface Props {
  readonly scope: ChangesetOperationScope;
  readonly target?: ChangesetOperationTarget | undefined;
  /** How many are shown; the others are in a menu. */
  readonly max: number;
}

/** What the host offers here. What cannot be done now goes to the end, into the menu where it says why. */
export function OperationList({ scope, target, max }: Props) {
  const offered = useOperations().of(scope);
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      const inside = event.target instanceof Node && place.current?.contains(event.target);
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : !inside) setOpen(false);
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
    };
  }, [open]);
  const possible = offered.filter(({ status }) => status !== 'disabled');
  const shown = possible.slice(0, max);
  const others = offered.filter((operation) => !shown.includes(operation));
  return (
    <>
      {shown.map((operation) => (
        <OperationButton key={operation.id} operation={operation} target={target} />
      ))}
      {others.length > 0 && (
        <span className="menu-place" ref={place} data-open={open || undefined}>
          <IconButton icon="more" label="More" aria-expanded={open} onClick={() => setOpen(!open)} />
          {open && (
            <span className="menu">
              {others.map((operation) => (
                <OperationButton
                  key={operation.id}
                  operation={operation}
                  target={target}
                  onDone={() => setOpen(false)}
                />
              ))}
            </span>
          )}
        </span>
      )}
    </>
  );
}
