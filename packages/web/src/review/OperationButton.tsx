import type { ChangesetOperation, ChangesetOperationTarget } from '@ahpd/protocol';
import { useState } from 'react';
import { AskInPlace } from '../ui/AskInPlace.js';
import { Text } from '../ui/Text.js';
import { useOperations } from './use-operations.js';

interface Props {
  readonly operation: ChangesetOperation;
  readonly target?: ChangesetOperationTarget | undefined;
  readonly onDone?: (() => void) | undefined;
}

/** A button for what the host offers. What destroys something asks once, in place. */
export function OperationButton({ operation, target, onDone }: Props) {
  const { invoke } = useOperations();
  const [asking, setAsking] = useState(false);
  const { label, description, confirmation, status, error } = operation;
  const run = () => {
    setAsking(false);
    invoke(operation, target);
    onDone?.();
  };
  if (asking)
    return (
      <AskInPlace label={label} action={label} onYes={run} onNo={() => setAsking(false)}>
        <Text value={confirmation} />
      </AskInPlace>
    );
  return (
    <button
      type="button"
      className="link"
      data-operation={operation.id}
      disabled={status === 'disabled' || status === 'running'}
      data-status={status}
      title={error?.message ?? description}
      onClick={() => (confirmation === undefined ? run() : setAsking(true))}
    >
      {label}
      {status === 'running' && '…'}
    </button>
  );
}
