import { useMemo } from 'react';
import type { ListedSession } from '../connection/session-board.js';
import { FILTERS, type Filter, passes, type SessionView } from './view.js';

interface Props {
  readonly sessions: readonly ListedSession[];
  readonly view: SessionView;
  readonly onView: (view: SessionView) => void;
}

/** Chooses which sessions are listed, and how they are grouped. */
export function ViewChoice({ sessions, view, onView }: Props) {
  const options = useMemo(
    () =>
      FILTERS.map(([filter, label]) => ({
        filter,
        text: `${label} (${sessions.filter((session) => passes(session, filter)).length.toLocaleString('en')})`,
      })),
    [sessions],
  );
  return (
    <div className="view-choice">
      <select
        aria-label="Show"
        value={view.filter}
        onChange={({ target }) => onView({ ...view, filter: target.value as Filter })}
      >
        {options.map(({ filter, text }) => (
          <option key={filter} value={filter}>
            {text}
          </option>
        ))}
      </select>
      <select
        aria-label="Group"
        value={view.groups}
        onChange={({ target }) => onView({ ...view, groups: target.value === 'project' ? 'project' : 'time' })}
      >
        <option value="time">By time</option>
        <option value="project">By project</option>
      </select>
    </div>
  );
}
