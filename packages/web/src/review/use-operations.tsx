import type { ChangesetOperation, ChangesetOperationScope, ChangesetOperationTarget } from '@ahpd/protocol';
import { createContext, useContext, useMemo, useState } from 'react';
import { useClient } from '../connection/context.js';
import { safeLink } from '../markdown/safe-url.js';
import { plainText } from '../ui/Text.js';
import { orTell, showToast } from '../ui/toasts.js';

/** Something destructive that waits for a yes: what exactly would be done, and where the page asks. */
interface Question {
  readonly operation: ChangesetOperation;
  readonly target: ChangesetOperationTarget | undefined;
  /** The target in words, where the place does not say it. */
  readonly about?: string | undefined;
  readonly place: string;
}

export interface Operations {
  /** What the host offers for all, for a file, or for lines. */
  of(scope: ChangesetOperationScope): readonly ChangesetOperation[];
  find(id: string, scope: ChangesetOperationScope): ChangesetOperation | undefined;
  invoke(operation: ChangesetOperation, target?: ChangesetOperationTarget): void;
  /** The one that is open; asking another closes it. */
  readonly question: Question | undefined;
  ask(question: Question | undefined): void;
  /** What an operation gave to look at, such as a patch. */
  readonly result: string | undefined;
  clearResult(): void;
}

export const OperationsContext = createContext<Operations | undefined>(undefined);

export function useOperations(): Operations {
  const operations = useContext(OperationsContext);
  if (!operations) throw new Error('outside of a review');
  return operations;
}

/** The operations of a changeset, as its host declares them. The page knows none of them by itself. */
export function useChangesetOperations(uri: string, declared: readonly ChangesetOperation[] | undefined): Operations {
  const client = useClient();
  const [result, setResult] = useState<string>();
  const [question, ask] = useState<Question>();
  return useMemo(() => {
    const all = declared ?? [];
    const run = async (operation: ChangesetOperation, target?: ChangesetOperationTarget) => {
      const params = { channel: uri, operationId: operation.id, ...(target && { target }) };
      const { message, followUp } = await client.request('invokeChangesetOperation', params);
      const link = followUp?.external ? safeLink(followUp.content.uri) : undefined;
      const undo = all.find(({ id }) => id === 'undo');
      if (followUp && !link) setResult((await client.request('resourceRead', { uri: followUp.content.uri })).data);
      showToast({
        tone: 'done',
        text: plainText(message) || `${operation.label}: done.`,
        action: link
          ? { label: 'Open', run: () => window.open(link, '_blank', 'noopener,noreferrer') }
          : undo && operation.confirmation
            ? { label: undo.label, run: () => orTell(run(undo)) }
            : undefined,
      });
    };
    return {
      of: (scope) => all.filter(({ scopes }) => scopes.includes(scope)),
      find: (id, scope) => all.find((operation) => operation.id === id && operation.scopes.includes(scope)),
      invoke: (operation, target) => orTell(run(operation, target)),
      question,
      ask,
      result,
      clearResult: () => setResult(undefined),
    };
  }, [client, uri, declared, question, result]);
}
