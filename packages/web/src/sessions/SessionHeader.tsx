import type { Mirror } from '@moorage/client';
import { primaryDirectory, type SessionState, SessionStatus, type SessionSummary } from '@moorage/protocol';
import { lazy, Suspense, useState } from 'react';
import { useRights } from '../connection/rights.js';
import { troublesOf } from '../customizations/entries.js';
import { Watchers } from '../people/Watchers.js';
import { Counts } from '../ui/Counts.js';
import { pathOf } from '../ui/format.js';
import { Icon } from '../ui/Icon.js';
import { IconButton } from '../ui/IconButton.js';
import { MOOD_LABELS, moodOf } from '../ui/mood.js';
import { showFailure } from '../ui/toasts.js';
import { visible } from '../ui/visible.js';
import { ChatTabs } from './ChatTabs.js';
import { DeleteSession } from './DeleteSession.js';
import { projectOf } from './order.js';
import { hasSettings, SessionSettings } from './SessionSettings.js';
import { worktreeOf } from './worktree.js';

const CustomizationsDialog = lazy(() =>
  import('../customizations/CustomizationsDialog.js').then((module) => ({ default: module.CustomizationsDialog })),
);

interface Props {
  readonly mirror: Mirror<'session'>;
  readonly state: SessionState;
  /** From the list of sessions. */
  readonly summary: SessionSummary | undefined;
  readonly chat: string | undefined;
  readonly reviewing: boolean;
  readonly onOpenChat: (uri: string) => void;
  readonly onToggleReview: () => void;
  readonly onToggleTerminals: () => void;
  readonly onArchive: (isArchived: boolean) => void;
  readonly onShare: () => void;
  readonly onClosed: () => void;
}

/** The session's title, state and actions. */
export function SessionHeader(props: Props) {
  const { mirror, state, summary, chat, reviewing, onOpenChat, onToggleReview, onToggleTerminals, onClosed } = props;
  const { onArchive, onShare } = props;
  const { may, session: onlySession } = useRights();
  const canSteer = may('steer');
  const [title, setTitle] = useState<string>();
  const [settings, setSettings] = useState(false);
  const [customizations, setCustomizations] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const troubles = troublesOf(state);
  const worktree = worktreeOf(state);
  const { title: name, status } = summary ?? state;
  const folder = primaryDirectory(summary ?? state);
  const mood = moodOf(status);
  const archived = (status & SessionStatus.IsArchived) !== 0;
  const rename = () => {
    if (title?.trim() && title !== name)
      showFailure(mirror.dispatch({ type: 'session/titleChanged', title: title.trim() }));
    setTitle(undefined);
  };
  return (
    <header className="session-head">
      <div className="session-head-row">
        <span className="dot" data-mood={mood} role="img" aria-label={MOOD_LABELS[mood]} title={MOOD_LABELS[mood]} />
        {!canSteer ? (
          <h1>{name || 'New session'}</h1>
        ) : title === undefined ? (
          <h1>
            <button type="button" className="title-button" title="Rename" onClick={() => setTitle(name)}>
              {name || 'New session'}
            </button>
          </h1>
        ) : (
          <input
            className="title-input"
            aria-label="Title of the session"
            // biome-ignore lint/a11y/noAutofocus: the user has just asked to write here
            autoFocus
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            onBlur={rename}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              if (event.key === 'Enter') rename();
              if (event.key === 'Escape') setTitle(undefined);
            }}
          />
        )}
        {folder && (
          <bdi className="folder" title={pathOf(folder)}>
            {projectOf(summary ?? state)}
          </bdi>
        )}
        {worktree && (
          <span className="tag branch" title="Works in its own work tree, on this branch">
            <Icon name="branch" /> <bdi>{visible(worktree.branch ?? 'work tree')}</bdi>
          </span>
        )}
        <Watchers session={mirror.uri} activeClients={state.activeClients} />
        <span className="spring" />
        {state.changesets && (
          <button type="button" className="button wide-only" aria-pressed={reviewing} onClick={onToggleReview}>
            <Icon name="diff" />
            Changes
            <Counts added={summary?.changes?.additions} removed={summary?.changes?.deletions} />
          </button>
        )}
        <IconButton icon="terminal" label="Terminals" className="wide-only" onClick={onToggleTerminals} />
        <IconButton
          icon="plug"
          label={troubles > 0 ? `Tools and rules, ${troubles} with a problem` : 'Tools and rules'}
          onClick={() => setCustomizations(true)}
        >
          {troubles > 0 && <span className="trouble-dot" />}
        </IconButton>
        {hasSettings(state) && <IconButton icon="sliders" label="Settings" onClick={() => setSettings(true)} />}
        {canSteer && onlySession === undefined && (
          <IconButton icon="share" label="Share" className="wide-only" onClick={onShare} />
        )}
        {canSteer && (
          <>
            <IconButton
              icon="archive"
              label={archived ? 'Unarchive' : 'Archive'}
              onClick={() => onArchive(!archived)}
            />
            <IconButton icon="trash" label="Delete" aria-expanded={deleting} onClick={() => setDeleting(!deleting)} />
          </>
        )}
      </div>
      {customizations && (
        <Suspense>
          <CustomizationsDialog mirror={mirror} state={state} onClose={() => setCustomizations(false)} />
        </Suspense>
      )}
      {settings && <SessionSettings mirror={mirror} state={state} onClose={() => setSettings(false)} />}
      {deleting && (
        <DeleteSession
          mirror={mirror}
          worktree={worktree}
          busy={mood === 'working'}
          onCancel={() => setDeleting(false)}
          onDeleted={onClosed}
        />
      )}
      <ChatTabs chats={state.chats} selected={chat} onOpen={onOpenChat} />
    </header>
  );
}
