import { type ChangesetOperation, isObject, type SessionState } from '@moorage/protocol';
import { useState } from 'react';
import { useChannel } from '../connection/use-channel.js';
import { Icon } from '../ui/Icon.js';
import { MenuButton } from '../ui/MenuButton.js';
import { CommitDialog } from './CommitDialog.js';
import { reviewFiles } from './file.js';
import { FINISHING, nextStep } from './finishing.js';
import { PullRequestDialog } from './PullRequestDialog.js';
import { useChangesetOperations } from './use-operations.js';

interface Props {
  readonly session: SessionState;
  readonly sessionUri: string;
}

/**
 * The step that comes next on the way of a change to others, whatever part of it is shown: commit, merge back, push, pull
 * request. Its menu has all of them, and says what stands in the way.
 */
export function FinishButton({ session, sessionUri }: Props) {
  const uriOf = (kind: string) => session.changesets?.find(({ changeKind }) => changeKind === kind)?.uriTemplate;
  const uncommitted = useFinishing(uriOf('uncommitted'));
  const branch = useFinishing(uriOf('branch'));
  const [asking, setAsking] = useState<ChangesetOperation>();
  const { workingDirectories: folders } = session;
  const all = [uncommitted, branch].flatMap((changeset) => changeset.steps.map((step) => ({ step, changeset })));
  if (uncommitted.uri === undefined && branch.uri === undefined) return null;
  // Takes its room from the start, so that nothing moves from under the pointer.
  if (all.length === 0)
    return (
      <button type="button" className="button finish" disabled>
        Finish
      </button>
    );
  const steps = all.map(({ step }) => step);
  const state = isObject(session._meta?.git) ? session._meta.git : {};
  const next = nextStep(steps, { isChanged: branch.entries.length > 0, state });
  const invoke = (operation: ChangesetOperation, meta?: Record<string, unknown>) =>
    all.find(({ step }) => step.id === operation.id)?.changeset.operations.invoke(operation, undefined, meta);
  const begin = (operation: ChangesetOperation) =>
    operation.id === 'commit' || operation.id === 'create-pr' ? setAsking(operation) : invoke(operation);
  const isRunning = steps.some(({ status }) => status === 'running');
  const items = steps.map((step) => ({
    label: asks(step),
    operation: step.id,
    about:
      step.status === 'disabled' || step.status === 'error' ? (step.error?.message ?? step.description) : undefined,
    disabled: step.status === 'disabled' || step.status === 'running',
    run: () => begin(step),
  }));
  return (
    <span className="finish">
      {next && (
        <button
          type="button"
          className="button primary"
          data-operation={next.id}
          title={next.description}
          disabled={isRunning}
          onClick={() => begin(next)}
        >
          {isRunning ? `${next.label}…` : asks(next)}
        </button>
      )}
      <MenuButton
        label={next ? 'Other ways to finish' : 'Finish'}
        className={`button ${next ? 'primary finish-more' : ''}`}
        items={items}
      >
        {next ? null : 'Finish'}
        <Icon name="chevron" />
      </MenuButton>
      {asking?.id === 'commit' && uncommitted.uri !== undefined && (
        <CommitDialog
          uri={uncommitted.uri}
          session={sessionUri}
          folders={folders}
          files={reviewFiles(uncommitted.entries, folders)}
          onCommit={(meta) => invoke(asking, meta)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking?.id === 'create-pr' && branch.uri !== undefined && (
        <PullRequestDialog
          uri={branch.uri}
          onCreate={(meta) => invoke(asking, meta)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </span>
  );
}

function useFinishing(uri: string | undefined) {
  const { state } = useChannel('changeset', uri);
  const operations = useChangesetOperations(uri ?? '', state?.operations);
  const offered = operations.of('changeset');
  const steps = FINISHING.flatMap((id) => offered.find((operation) => operation.id === id) ?? []);
  return { uri, steps, operations, entries: state?.files ?? [] };
}

/** Dots say that it asks for more before anything happens. */
function asks({ id, label }: ChangesetOperation): string {
  return id === 'commit' || id === 'create-pr' ? `${label}…` : label;
}
