import type { ChangesetOperation } from '@moorage/protocol';

interface Props {
  readonly operation: ChangesetOperation;
  readonly onClick: () => void;
}

/** A button for an operation that the host offers. */
export function OperationButton({ operation, onClick }: Props) {
  const { label, description, status, error } = operation;
  return (
    <button
      type="button"
      className="link"
      data-operation={operation.id}
      disabled={status === 'disabled' || status === 'running'}
      data-status={status}
      title={error?.message ?? description}
      onClick={onClick}
    >
      {label}
      {status === 'running' && '…'}
    </button>
  );
}
