import type { ResponsePart } from '@moorage/protocol';
import { steeringOf } from '@moorage/protocol/internal';
import { memo } from 'react';
import { Markdown } from '../markdown/Markdown.js';
import { Text } from '../ui/Text.js';
import { ContentLink } from './ContentLink.js';
import { Reasoning } from './Reasoning.js';
import { ToolCallView } from './ToolCallView.js';
import { UserMessage } from './UserMessage.js';

interface Props {
  readonly part: ResponsePart;
  readonly turnId: string;
  readonly live: boolean;
  /** Whether it belongs to the newest turn. */
  readonly isNewest: boolean;
}

/** One part of a response. Parts that a later protocol version adds are not shown. */
export const PartView = memo(function PartView({ part, turnId, live, isNewest }: Props) {
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
    case 'contentRef':
      return <ContentLink content={part} />;
    default:
      return null;
  }
});
