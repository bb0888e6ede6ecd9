import type { ChangesetOperation, ChangesetOperationScope, ChangesetOperationTarget } from '@moorage/protocol';
import { createContext, useContext, useMemo, useState } from 'react';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { safeLink } from '../markdown/safe-url.js';
import { plainText } from '../markdown/Text.js';
import { showFailure, showToast } from '../ui/toasts.js';

/** A destructive operation that waits for confirmation: what would be done, and where the page asks. */
interface Question {
  readonly operation: ChangesetOperation;
  readonly target: ChangesetOperationTarget | undefined;
  /** Describes the target if the place does not show it. */
  readonly about?: string | undefined;
  readonly place: string;
}

export interface Operations {
  /** The operations that the host offers for everything, for a file, or for lines. */
  of(scope: ChangesetOperationScope): readonly ChangesetOperation[];
  find(id: string, scope: ChangesetOperationScope): ChangesetOperation | undefined;
  invoke(operation: ChangesetOperation, target?: ChangesetOperationTarget, meta?: Record<string, unknown>): void;
  /** The open confirmation. Asking for another one closes it. */
  readonly question: Question | undefined;
  ask(question: Question | undefined): void;
  /** The text that an operation returned, such as a patch. */
  readonly result: string | undefined;
  clearResult(): void;
}

export const OperationsContext = createContext<Operations | undefined>(undefined);

export function useOperations(): Operations {
  const operations = useContext(OperationsContext);
  if (!operations) throw new Error('useOperations needs an OperationsContext');
  return operations;
}

/** The operations of a changeset, as its host declares them. */
export function useChangesetOperations(uri: string, declared: readonly ChangesetOperation[] | undefined): Operations {
  const client = useClient();
  const lacking = useRights().lacks('steer');
  const [result, setResult] = useState<string>();
  const [question, ask] = useState<Question>();
  return useMemo(() => {
    const all = lacking ? (declared ?? []).map((operation) => refused(operation, lacking)) : (declared ?? []);
    const run = async (
      operation: ChangesetOperation,
      target?: ChangesetOperationTarget,
      meta?: Record<string, unknown>,
    ) => {
      const params = {
        channel: uri,
        operationId: operation.id,
        ...(target && { target }),
        ...(meta && { _meta: meta }),
      };
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
            ? { label: undo.label, run: () => showFailure(run(undo)) }
            : undefined,
      });
    };
    return {
      of: (scope) => all.filter(({ scopes }) => scopes.includes(scope)),
      find: (id, scope) => all.find((operation) => operation.id === id && operation.scopes.includes(scope)),
      invoke: (operation, target, meta) => showFailure(run(operation, target, meta)),
      question,
      ask,
      result,
      clearResult: () => setResult(undefined),
    };
  }, [client, uri, declared, lacking, question, result]);
}

/** An operation that the host offers, but not to this person. */
function refused({ error: _, ...operation }: ChangesetOperation, description: string): ChangesetOperation {
  return { ...operation, status: 'disabled', description };
}
