import type { Mirror } from '@moorage/client';
import { AUTOMATIONS_URI, type AutomationEntry } from '@moorage/protocol';
import { useState } from 'react';
import { useRights } from '../connection/rights.js';
import { useChannel } from '../connection/use-channel.js';
import { Dialog } from '../ui/Dialog.js';
import { Loading } from '../ui/Loading.js';
import { Problem } from '../ui/Problem.js';
import { AutomationForm } from './AutomationForm.js';
import { AutomationRow } from './AutomationRow.js';

interface Props {
  readonly onOpenSession: (session: string) => void;
  readonly onClose: () => void;
}

/** What begins sessions with nobody connected: shows, makes, changes and runs automations. */
export function AutomationsDialog({ onOpenSession, onClose }: Props) {
  const { mirror, state, error, retry } = useChannel('automation', AUTOMATIONS_URI);
  return (
    <Dialog title="Automations" className="automations-dialog" onClose={onClose}>
      {error && <Problem text={error} onRetry={retry} />}
      {!error && !(mirror && state) && <Loading what="automations" />}
      {mirror && state && <Automations mirror={mirror} entries={state.entries} onOpenSession={onOpenSession} />}
    </Dialog>
  );
}

interface ListProps {
  readonly mirror: Mirror<'automation'>;
  readonly entries: readonly AutomationEntry[];
  readonly onOpenSession: (session: string) => void;
}

function Automations({ mirror, entries, onOpenSession }: ListProps) {
  const { may } = useRights();
  /** The one that is being changed; `new` for a new one. */
  const [editing, setEditing] = useState<string>();
  const edited = entries.find(({ resource }) => resource === editing);
  if (editing === 'new' || edited)
    return <AutomationForm key={editing} mirror={mirror} entry={edited} onClose={() => setEditing(undefined)} />;
  return (
    <>
      {entries.length === 0 && (
        <p className="quiet">
          An automation begins sessions by itself: every weekday at nine, or when a turn fails. There is none yet.
        </p>
      )}
      {entries.length > 0 && (
        <ul className="host-rows" aria-label="Automations">
          {entries.map((entry) => (
            <AutomationRow
              key={entry.resource}
              mirror={mirror}
              entry={entry}
              onEdit={() => setEditing(entry.resource)}
              onOpenSession={onOpenSession}
            />
          ))}
        </ul>
      )}
      {may('steer') && (
        <div className="form-end">
          <button type="button" className="button primary" onClick={() => setEditing('new')}>
            New automation
          </button>
        </div>
      )}
    </>
  );
}
