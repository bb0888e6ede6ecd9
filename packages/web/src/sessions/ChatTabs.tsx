import type { ChatSummary } from '@moorage/protocol';
import { MOOD_LABELS, moodOf } from '../ui/mood.js';

interface Props {
  readonly chats: readonly ChatSummary[];
  readonly selected: string | undefined;
  readonly onOpen: (uri: string) => void;
}

/** The chats of a session, such as forks and sub-agents, if there is more than one. */
export function ChatTabs({ chats, selected, onOpen }: Props) {
  const shown = chats.filter(({ interactivity }) => interactivity !== 'hidden');
  if (shown.length < 2) return null;
  return (
    <div className="chat-tabs" role="tablist" aria-label="Chats">
      {shown.map((chat, index) => {
        const mood = moodOf(chat.status);
        return (
          <button
            key={chat.resource}
            type="button"
            role="tab"
            className="tab"
            aria-selected={chat.resource === selected}
            onClick={() => onOpen(chat.resource)}
          >
            <span className="dot" data-mood={mood === 'unread' ? 'idle' : mood} title={MOOD_LABELS[mood]} />
            {chat.title || nameFor(chat, index)}
          </button>
        );
      })}
    </div>
  );
}

function nameFor({ origin }: ChatSummary, index: number): string {
  if (origin?.kind === 'tool') return 'Sub-agent';
  return origin?.kind === 'fork' ? 'Fork' : index === 0 ? 'Main' : `Chat ${index + 1}`;
}
