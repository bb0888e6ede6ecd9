import { AUTOMATIONS_URI, type AutomationEntry, type AutomationRunSummary } from '@moorage/protocol';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { agoOf } from '../ui/format.js';
import { showFailure } from '../ui/toasts.js';
import { useNow } from '../ui/use-now.js';
import { visible } from '../ui/visible.js';

interface Props {
  readonly entry: AutomationEntry;
  readonly onOpenSession: (session: string) => void;
}

/** What came of an automation, the newest first, with links to its sessions. */
export function AutomationRuns({ entry, onOpenSession }: Props) {
  const client = useClient();
  const { resource: automation, runs, runsNextCursor: cursor } = entry;
  const older = () => client.request('fetchAutomationRuns', { channel: AUTOMATIONS_URI, automation, cursor });
  return (
    <details className="automation-runs">
      <summary>{lastText(runs[0])}</summary>
      <ul aria-label={`Runs of ${entry.definition.title}`}>
        {runs.map((run) => (
          <RunRow key={run.resource} run={run} onOpenSession={onOpenSession} />
        ))}
      </ul>
      {cursor !== undefined && (
        <button type="button" className="link" onClick={() => showFailure(older())}>
          Older runs
        </button>
      )}
    </details>
  );
}

function RunRow({ run, onOpenSession }: { run: AutomationRunSummary; onOpenSession: Props['onOpenSession'] }) {
  const client = useClient();
  const { may } = useRights();
  const now = useNow();
  const { resource, lifecycle, primarySession } = run;
  const isOpen = lifecycle.status === 'pending' || lifecycle.status === 'running';
  const cancel = async () => {
    const channel = await client.subscribe(resource, { kind: 'automationRun' });
    await channel.dispatch({ type: 'automationRun/cancelRequested' });
  };
  return (
    <li className="automation-run">
      <span className="dot" data-mood={MOODS[lifecycle.status] ?? 'idle'} />
      <span>{LABELS[lifecycle.status] ?? lifecycle.status}</span>
      <span className="quiet">
        {agoOf(Date.parse(lifecycle.createdAt), now)}, {originText(run)}
      </span>
      {primarySession !== undefined && (
        <button type="button" className="link" onClick={() => onOpenSession(primarySession)}>
          Session
        </button>
      )}
      {isOpen && may('steer') && (
        <button type="button" className="link" onClick={() => showFailure(cancel())}>
          Cancel
        </button>
      )}
      {lifecycle.status === 'failed' && <p className="quiet">{visible(lifecycle.error.message)}</p>}
    </li>
  );
}

const LABELS: Partial<Record<string, string>> = {
  pending: 'About to start',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const MOODS: Partial<Record<string, string>> = {
  pending: 'working',
  running: 'working',
  completed: 'ready',
  failed: 'error',
};

function lastText(last: AutomationRunSummary | undefined): string {
  return `Runs${last ? `: the last ${(LABELS[last.lifecycle.status] ?? last.lifecycle.status).toLowerCase()}` : ''}`;
}

function originText({ origin }: AutomationRunSummary): string {
  if (origin.kind === 'manual') return 'on request';
  if (origin.event) return 'by an event';
  return origin.catchUp ? 'by schedule, late' : 'by schedule';
}
