import type { ChangesetOperation, ChangesetOperationScope, ChangesetOperationTarget } from '@moorage/protocol';
import { useContext } from 'react';
import { Icon } from '../ui/Icon.js';
import { MenuButton } from '../ui/MenuButton.js';
import { OperationButton } from './OperationButton.js';
import { OperationQuestion } from './OperationQuestion.js';
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
 * The operations that the host offers for a file or for lines. Disabled ones are in the menu, where they say why.
 * Destructive ones ask once, in place.
 */
export function OperationList({ scope, target, about, place, max, onRun }: Props) {
  const operations = useOperations();
  const hasCheckbox = useContext(ViewedContext) !== undefined;
  const offered = operations.of(scope).filter(({ id }) => id !== 'keep' || !hasCheckbox);
  const begin = (operation: ChangesetOperation) => {
    if (operation.confirmation !== undefined) return operations.ask({ operation, target, about, place });
    operations.ask(undefined);
    operations.invoke(operation, target);
    onRun?.();
  };
  if (operations.question?.place === place) return <OperationQuestion place={place} onRun={onRun} />;
  const shown = offered.filter(({ id, status }) => status !== 'disabled' && !RARE.has(id)).slice(0, max);
  const others = offered.filter((operation) => !shown.includes(operation));
  return (
    <>
      {shown.map((operation) => (
        <OperationButton key={operation.id} operation={operation} onClick={() => begin(operation)} />
      ))}
      {others.length > 0 && (
        <MenuButton
          label="More"
          className="icon-button operations-more"
          items={others.map((operation) => ({
            label: operation.label,
            operation: operation.id,
            about: operation.status === 'disabled' ? operation.description : operation.error?.message,
            disabled: operation.status === 'disabled' || operation.status === 'running',
            run: () => begin(operation),
          }))}
        >
          <Icon name="more" />
        </MenuButton>
      )}
    </>
  );
}

/** Always in the menu. */
const RARE: ReadonlySet<string> = new Set(['open-diff']);
