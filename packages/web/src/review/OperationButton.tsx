import type { ChangesetOperation, ChangesetOperationTarget } from '@ahpd/protocol';
import { useEffect, useRef, useState } from 'react';
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
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (asking) yes.current?.focus();
  }, [asking]);
  const { label, description, confirmation, status, error } = operation;
  const run = () => {
    setAsking(false);
    invoke(operation, target);
    onDone?.();
  };
  if (asking) {
    return (
      <span
        className="ask-in-place"
        role="alertdialog"
        aria-label={label}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          setAsking(false);
        }}
      >
        <span className="ask-text">
          <Text value={confirmation} />
        </span>
        <button ref={yes} type="button" className="button danger" onClick={run}>
          {label}
        </button>
        <button type="button" className="button" onClick={() => setAsking(false)}>
          Cancel
        </button>
      </span>
    );
  }
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
