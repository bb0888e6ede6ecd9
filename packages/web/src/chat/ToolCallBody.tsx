import type { ToolCallState, ToolResultContent } from '@moorage/protocol';
import { InlineDiff } from '../diff/InlineDiff.js';
import { CodeBlock } from '../markdown/CodeBlock.js';
import { Text } from '../markdown/Text.js';
import { TerminalEmbed } from '../terminal/TerminalEmbed.js';
import { pathOf } from '../ui/format.js';
import { LongText } from '../ui/LongText.js';
import { pictureOf } from '../ui/picture.js';
import { ContentLink } from './ContentLink.js';
import { useChat } from './context.js';
import { SubagentCard } from './SubagentCard.js';

/** The input and the result of a tool call. */
export function ToolCallBody({ call }: { readonly call: ToolCallState }) {
  const input = call.status === 'streaming' ? call.partialInput : call.toolInput;
  const content = 'content' in call ? (call.content ?? []) : [];
  // These results show by themselves what the call did, so the input would only repeat it.
  const isSelfExplanatory = content.some(
    ({ type }) => type === 'fileEdit' || type === 'terminal' || type === 'subagent',
  );
  const hasTerminal = content.some(({ type }) => type === 'terminal');
  return (
    <div className="tool-body">
      {typeof input === 'object' && !isSelfExplanatory && <ContentLink content={input} />}
      {typeof input === 'string' && input !== '' && !isSelfExplanatory && (
        <CodeBlock text={input} language={input.trimStart().startsWith('{') ? 'json' : undefined} />
      )}
      {content.map((item, index) =>
        // The text is for clients that cannot show the terminal.
        hasTerminal && item.type === 'text' ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: contents have no other name
          <Content key={index} content={item} text={resultText(content)} />
        ),
      )}
      {call.status === 'completed' && call.error && <p className="problem">{call.error.message}</p>}
      {call.status === 'cancelled' && call.reasonMessage && (
        <p className="quiet">
          <Text value={call.reasonMessage} />
        </p>
      )}
      {call.status === 'cancelled' && call.userSuggestion && <p className="quiet">“{call.userSuggestion.text}”</p>}
    </div>
  );
}

function resultText(content: readonly ToolResultContent[]): string {
  return content.map((item) => (item.type === 'text' ? item.text : '')).join('');
}

function Content({ content, text }: { readonly content: ToolResultContent; readonly text: string }) {
  const { folder, onOpenTerminal } = useChat();
  switch (content.type) {
    case 'text':
      return <LongText text={content.text} />;
    case 'fileEdit':
      return <InlineDiff edit={content} folder={pathOf(folder)} />;
    case 'terminal':
      return <TerminalEmbed uri={content.resource} title={content.title} text={text} onOpen={onOpenTerminal} />;
    case 'subagent':
      return <SubagentCard content={content} />;
    case 'resource':
      return <ContentLink content={content} />;
    case 'embeddedResource': {
      const picture = pictureOf(content.contentType, content.data);
      if (picture) return <img className="content-image" src={picture} alt="" />;
      return <p className="quiet">{content.contentType}</p>;
    }
    default:
      return null;
  }
}
