import { useRights } from '../connection/rights.js';
import { IconButton } from '../ui/IconButton.js';
import { NeedsYouBadge, needsYouText } from './NeedsYouBadge.js';

interface Props {
  readonly waiting: number;
  readonly onSessions: () => void;
  readonly onNew: () => void;
}

/** Replaces the list of sessions where there is no room for it. */
export function SessionRail({ waiting, onSessions, onNew }: Props) {
  const { may } = useRights();
  return (
    <nav className="session-rail" aria-label="Sessions">
      <IconButton
        icon="list"
        label={waiting > 0 ? `Sessions, ${needsYouText(waiting)}` : 'Sessions'}
        aria-haspopup="dialog"
        onClick={onSessions}
      >
        <NeedsYouBadge waiting={waiting} />
      </IconButton>
      {may('steer') && <IconButton icon="plus" label="New session" onClick={onNew} />}
    </nav>
  );
}
