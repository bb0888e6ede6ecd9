import { primaryDirectory } from '@moorage/protocol';
import { memo } from 'react';
import type { ListedSession } from '../connection/session-board.js';
import { CommentCount } from '../ui/CommentCount.js';
import { Counts } from '../ui/Counts.js';
import { ageOf, nameOf, timeOf } from '../ui/format.js';
import { MOOD_LABELS, moodOf } from '../ui/mood.js';

interface Props {
  readonly session: ListedSession;
  readonly selected: boolean;
  readonly now: number;
  readonly onOpen: (session: ListedSession) => void;
}

export const SessionRow = memo(function SessionRow({ session, selected, now, onOpen }: Props) {
  const mood = moodOf(session.status);
  const folder = primaryDirectory(session);
  const doing = mood === 'needs-you' ? session.activity || 'Waiting for you' : session.activity;
  return (
    <li>
      <button
        type="button"
        className="session-row"
        data-mood={mood}
        aria-current={selected ? 'page' : undefined}
        onClick={() => onOpen(session)}
      >
        <span className="dot" role="img" title={MOOD_LABELS[mood]} aria-label={MOOD_LABELS[mood]} />
        <span className="session-title">{session.title || 'New session'}</span>
        <time className="age" dateTime={timeOf(Date.parse(session.modifiedAt))}>
          {ageOf(Date.parse(session.modifiedAt), now)}
        </time>
        <span className="session-second">
          <span className="session-about">
            {session.host && <bdi className="session-host">{session.host.name}</bdi>}
            {doing ? (
              <span className="activity">{doing}</span>
            ) : (
              <>
                {session.provider}
                {folder && ` · ${nameOf(folder)}`}
              </>
            )}
          </span>
          <span className="session-counts">
            <CommentCount count={session.annotations?.annotationCount} />
            <Counts added={session.changes?.additions} removed={session.changes?.deletions} />
          </span>
        </span>
      </button>
    </li>
  );
});
