import type { ChangesetOperation, ChangesetOperationScope, ChangesetOperationTarget } from '@moorage/protocol';
import { useContext, useEffect, useRef, useState } from 'react';
import { Text } from '../markdown/Text.js';
import { capitalized } from '../ui/format.js';
import { IconButton } from '../ui/IconButton.js';
import { InlineQuestion } from '../ui/InlineQuestion.js';
import { OperationButton } from './OperationButton.js';
import { useOperations } from './use-operations.js';
import { ViewedContext } from './viewed.js';

interface Props {
  readonly scope: ChangesetOperationScope;
  readonly target?: ChangesetOperationTarget | undefined;
  /** Describes the target in the confirmation. */
  readonly about?: string | undefined;
  /** Identifies this list, so that a confirmation is shown where it was asked for. */
  readonly place: string;
  /** How many operations are shown. The others are in a menu. */
  readonly max: number;
  /** Called when an operation was started. */
  readonly onRun?: (() => void) | undefined;
}

/**
 * The operations that the host offers. Disabled ones are in the menu, where they say why. Destructive ones ask once, in
 * place.
 */
export function OperationList({ scope, target, about, place: name, max, onRun }: Props) {
  const operations = useOperations();
  // There is a checkbox for it, except for everything at once.
  const isCheckbox = useContext(ViewedContext) !== undefined && scope !== 'changeset';
  const offered = operations.of(scope).filter(({ id }) => id !== 'keep' || !isCheckbox);
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
  const run = (operation: ChangesetOperation, on: ChangesetOperationTarget | undefined) => {
    operations.ask(undefined);
    operations.invoke(operation, on);
    onRun?.();
  };
  const begin = (operation: ChangesetOperation) => {
    setOpen(false);
    if (operation.id === 'commit' || operation.id === 'create-pr') operations.askText(operation);
    else if (operation.confirmation === undefined) run(operation, target);
    else operations.ask({ operation, target, about, place: name });
  };
  const { question } = operations;
  if (question?.place === name) {
    const { operation } = question;
    return (
      <InlineQuestion
        label={operation.label}
        action={operation.label}
        onYes={() => run(operation, question.target)}
        onNo={() => operations.ask(undefined)}
      >
        {question.about && <strong>{capitalized(question.about)}: </strong>}
        <Text value={operation.confirmation} />
      </InlineQuestion>
    );
  }
  const possible = offered.filter(({ status }) => status !== 'disabled');
  const shown = possible.slice(0, max);
  const others = offered.filter((operation) => !shown.includes(operation));
  return (
    <>
      {shown.map((operation) => (
        <OperationButton key={operation.id} operation={operation} onClick={() => begin(operation)} />
      ))}
      {others.length > 0 && (
        <span className="menu-place" ref={place} data-open={open || undefined}>
          <IconButton icon="more" label="More" aria-expanded={open} onClick={() => setOpen(!open)} />
          {open && (
            <span className="menu">
              {others.map((operation) => (
                <OperationButton key={operation.id} operation={operation} onClick={() => begin(operation)} />
              ))}
            </span>
          )}
        </span>
      )}
    </>
  );
}
