import type { ResponsePart } from '@moorage/protocol';
import { steeringOf } from '@moorage/protocol/internal';
import { memo } from 'react';
import { Markdown } from '../markdown/Markdown.js';
import { Text } from '../markdown/Text.js';
import { AnsweredRequest } from './AnsweredRequest.js';
import { ContentLink } from './ContentLink.js';
import { Reasoning } from './Reasoning.js';
import { ToolCallView } from './ToolCallView.js';
import { UserMessage } from './UserMessage.js';

interface Props {
  readonly part: ResponsePart;
  readonly turnId: string;
  readonly live: boolean;
  /** Whether its turn runs. */
  readonly isActive: boolean;
  /** Whether it belongs to the newest turn. */
  readonly isNewest: boolean;
}

/** One part of a response. An error is shown at the end of its turn. Parts that a later protocol version adds are not shown. */
export const PartView = memo(function PartView({ part, turnId, live, isActive, isNewest }: Props) {
  switch (part.kind) {
    case 'markdown':
      return <Markdown text={part.content} />;
    case 'reasoning':
      return <Reasoning id={part.id} text={part.content} live={live} />;
    case 'toolCall':
      return <ToolCallView call={part.toolCall} turnId={turnId} isNewest={isNewest} />;
    case 'systemNotification': {
      const steering = steeringOf(part);
      if (steering) return <UserMessage message={steering.message} turnId={turnId} canEdit={false} />;
      return (
        <div className="system-note">
          <Text value={part.content} />
        </div>
      );
    }
    case 'inputRequest':
      // An open one is a form below the conversation.
      return part.response === undefined && isActive ? null : <AnsweredRequest part={part} />;
    case 'contentRef':
      return <ContentLink content={part} />;
    default:
      return null;
  }
});
