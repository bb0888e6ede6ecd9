import { Text } from '../markdown/Text.js';
import { capitalized } from '../ui/format.js';
import { InlineQuestion } from '../ui/InlineQuestion.js';
import { useOperations } from './use-operations.js';

interface Props {
  /** Where it is: a confirmation is shown where it was asked for. */
  readonly place: string;
  /** Called when the operation was started. */
  readonly onRun?: (() => void) | undefined;
}

/** Asks before something is destroyed, if it was asked for here. */
export function OperationQuestion({ place, onRun }: Props) {
  const { question, ask, invoke } = useOperations();
  if (question?.place !== place) return null;
  const { operation, target, about } = question;
  return (
    <InlineQuestion
      label={operation.label}
      action={operation.label}
      onYes={() => {
        ask(undefined);
        invoke(operation, target);
        onRun?.();
      }}
      onNo={() => ask(undefined)}
    >
      {about && <strong>{capitalized(about)}: </strong>}
      <Text value={operation.confirmation} />
    </InlineQuestion>
  );
}
