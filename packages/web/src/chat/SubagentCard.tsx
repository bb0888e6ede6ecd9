import type { ToolResultSubagentContent } from '@moorage/protocol';
import { Icon } from '../ui/Icon.js';
import { MOOD_LABELS, moodOf } from '../ui/mood.js';
import { useChat } from './context.js';

/** Links to the chat in which a sub-agent works. */
export function SubagentCard({ content }: { readonly content: ToolResultSubagentContent }) {
  const { session, onOpenChat } = useChat();
  const chat = session.chats.find(({ resource }) => resource === content.resource);
  const mood = chat && moodOf(chat.status);
  return (
    <button type="button" className="subagent" onClick={() => onOpenChat(content.resource)}>
      <Icon name="bot" />
      <span className="subagent-title">{content.title || content.agentName || 'Sub-agent'}</span>
      {mood && mood !== 'unread' && mood !== 'idle' && (
        <span className="subagent-mood" data-mood={mood}>
          {MOOD_LABELS[mood]}
        </span>
      )}
      <span className="quiet">{chat?.activity || content.description}</span>
      <Icon name="chevron" />
    </button>
  );
}
