import { type Mirror, randomId, triggerInWords } from '@moorage/client';
import { AUTOMATIONS_URI, type AutomationEntry, ExtensionMeta } from '@moorage/protocol';
import { useState } from 'react';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { nameIn, PersonName } from '../people/PersonName.js';
import { capitalized } from '../ui/format.js';
import { InlineQuestion } from '../ui/InlineQuestion.js';
import { showFailure } from '../ui/toasts.js';
import { visible } from '../ui/visible.js';
import { AutomationRuns } from './AutomationRuns.js';

interface Props {
  readonly mirror: Mirror<'automation'>;
  readonly entry: AutomationEntry;
  readonly onEdit: () => void;
  readonly onOpenSession: (session: string) => void;
}

/** An automation: when it runs, what came of it, and what can be done with it. */
export function AutomationRow({ mirror, entry, onEdit, onOpenSession }: Props) {
  const client = useClient();
  const { may } = useRights();
  const [removing, setRemoving] = useState(false);
  const { resource, definition, runs, _meta: meta } = entry;
  const { title, enabled } = definition;
  const reason = nameIn(meta, ExtensionMeta.disabledBecause);
  const run = () =>
    client.request('runAutomation', { channel: AUTOMATIONS_URI, automation: resource, requestId: randomId() });
  const switchTo = () =>
    mirror.dispatch({ type: 'automation/updateRequested', resource, changes: { enabled: !enabled } });
  return (
    <li className="host-row automation-row">
      <span className="host-name">
        <span className="dot" data-mood={enabled ? 'ready' : 'idle'} />
        <bdi>{visible(title)}</bdi>
        <span className="tag">{enabled ? 'enabled' : 'disabled'}</span>
        <PersonName name={nameIn(meta, ExtensionMeta.person)} />
      </span>
      <p className="quiet">{visible(whenText(entry))}</p>
      {reason !== undefined && <p className="quiet">{visible(reason)}</p>}
      {may('steer') && !removing && (
        <span className="automation-actions">
          <button type="button" className="link" aria-label={`Run now: ${title}`} onClick={() => showFailure(run())}>
            Run now
          </button>
          <button
            type="button"
            className="link"
            aria-label={`${enabled ? 'Disable' : 'Enable'} ${title}`}
            onClick={() => showFailure(switchTo())}
          >
            {enabled ? 'Disable' : 'Enable'}
          </button>
          <button type="button" className="link" aria-label={`Edit ${title}`} onClick={onEdit}>
            Edit
          </button>
          <button type="button" className="link" aria-label={`Remove ${title}`} onClick={() => setRemoving(true)}>
            Remove
          </button>
        </span>
      )}
      {removing && (
        <InlineQuestion
          label={`Remove ${title}`}
          action="Remove"
          focus="cancel"
          onYes={() => showFailure(mirror.dispatch({ type: 'automation/removed', resource }))}
          onNo={() => setRemoving(false)}
        >
          Its history goes, too. The sessions that it began stay.
        </InlineQuestion>
      )}
      {runs.length > 0 && <AutomationRuns entry={entry} onOpenSession={onOpenSession} />}
    </li>
  );
}

/** "Every weekday at 09:00 Europe/Berlin, next Mon 4 May, 09:00". */
function whenText({ definition, nextRunAt }: AutomationEntry): string {
  const words = definition.triggers.map(triggerInWords).join('; ') || 'on request';
  return capitalized(nextRunAt === undefined ? words : `${words} · next ${new Date(nextRunAt).toLocaleString()}`);
}
