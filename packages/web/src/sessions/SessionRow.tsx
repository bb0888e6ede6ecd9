import { type MouseEvent, memo } from 'react';
import { keyOf, type ListedSession } from '../connection/session-board.js';
import { CommentCount } from '../ui/CommentCount.js';
import { Counts } from '../ui/Counts.js';
import { ageOf, timeOf } from '../ui/format.js';
import { IconButton } from '../ui/IconButton.js';
import { MOOD_LABELS, moodOf } from '../ui/mood.js';
import { Excerpt } from './Excerpt.js';
import { projectOf } from './order.js';

interface Props {
  readonly session: ListedSession;
  readonly selected: boolean;
  /** Whether it is one of those that an action for several is about; undefined while there are none. */
  readonly chosen: boolean | undefined;
  /** Whether Tab stops here. The arrows lead to the other rows. */
  readonly isStop: boolean;
  readonly now: number;
  /** What was said in it that a search found. */
  readonly excerpt: string | undefined;
  readonly query: string;
  readonly onClick: (session: ListedSession, event: MouseEvent) => void;
  readonly onMenu: (session: ListedSession, at: { readonly x: number; readonly y: number }) => void;
}

export const SessionRow = memo(function SessionRow(props: Props) {
  const { session, selected, chosen, isStop, now, excerpt, query, onClick, onMenu } = props;
  const mood = moodOf(session.status);
  const doing = session.activity || FALLBACKS[mood];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same menu is behind the button
    <div
      className="session-item"
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(session, { x: event.clientX, y: event.clientY });
      }}
    >
      <button
        type="button"
        className="session-row"
        data-key={keyOf(session)}
        data-mood={mood}
        data-chosen={chosen || undefined}
        tabIndex={isStop ? 0 : -1}
        aria-current={selected ? 'page' : undefined}
        onClick={(event) => onClick(session, event)}
      >
        {chosen === undefined ? (
          <span className="dot" role="img" title={MOOD_LABELS[mood]} aria-label={MOOD_LABELS[mood]} />
        ) : (
          <span className="choose-mark" role="img" aria-label={chosen ? 'Selected' : 'Not selected'} />
        )}
        <span className="session-title">{session.title || 'New session'}</span>
        <time className="age" dateTime={timeOf(Date.parse(session.modifiedAt))}>
          {ageOf(Date.parse(session.modifiedAt), now)}
        </time>
        <span className="session-second">
          <span className="session-about">
            {session.host && <bdi className="session-host">{session.host.name}</bdi>}
            {doing && <span className="activity">{doing}</span>}
            {doing && projectOf(session) && ' · '}
            {[projectOf(session), !doing && session.provider].filter(Boolean).join(' · ')}
          </span>
          <span className="session-counts">
            <CommentCount count={session.annotations?.annotationCount} />
            <Counts added={session.changes?.additions} removed={session.changes?.deletions} />
          </span>
        </span>
        {excerpt && <Excerpt text={excerpt} query={query} />}
      </button>
      <IconButton
        icon="more"
        label="Actions"
        aria-haspopup="menu"
        tabIndex={isStop ? 0 : -1}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          onMenu(session, { x: left, y: bottom });
        }}
      />
    </div>
  );
});

/** For hosts that do not say what a session waits for or why it failed. */
const FALLBACKS: Readonly<Record<string, string | undefined>> = { 'needs-you': 'Waiting for you', error: 'Failed' };
