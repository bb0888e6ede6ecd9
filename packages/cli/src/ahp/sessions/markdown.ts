import {
  type ActiveTurn,
  type ChatState,
  type ResponsePart,
  type SessionSummary,
  type Turn,
  wordsOf,
} from '@ahpd/protocol';

/** A session as a markdown document, its own chat first. */
export function sessionMarkdown(summary: SessionSummary, chats: readonly ChatState[]): string {
  const facts = [
    `- Session: \`${summary.resource}\``,
    `- Agent: ${summary.provider}${summary.model ? `, ${summary.model.id}` : ''}`,
    ...(summary.workingDirectory === undefined ? [] : [`- Folder: \`${summary.workingDirectory}\``]),
    `- Started: ${new Date(summary.createdAt).toISOString()}`,
  ];
  const [own, ...others] = chats.map(chatMarkdown);
  const more = others.map((text, index) => `# ${chats[index + 1]?.title || 'Another chat'}\n\n${text}`);
  return `${[`# ${summary.title || 'Session'}`, facts.join('\n'), own, ...more].join('\n\n')}\n`;
}

function chatMarkdown({ turns, activeTurn }: ChatState): string {
  const all = [...turns, ...(activeTurn ? [activeTurn] : [])];
  return all.map((turn, index) => turnMarkdown(turn, index + 1)).join('\n\n');
}

export function turnMarkdown(turn: Turn | ActiveTurn, number: number): string {
  const end = 'state' in turn ? endText(turn) : ['_still running_'];
  const parts = turn.responseParts.map(partMarkdown).filter((text) => text !== '');
  return [`## Turn ${number}`, quoted(turn.message.text), ...parts, ...end].join('\n\n');
}

function endText(turn: Turn): string[] {
  if (turn.state === 'complete') return [];
  return [turn.state === 'error' ? `**Failed:** ${turn.error?.message ?? ''}` : '_cancelled_'];
}

function partMarkdown(part: ResponsePart): string {
  switch (part.kind) {
    case 'markdown':
      return part.content.trim();
    case 'reasoning':
      return quoted(`_${part.content.trim()}_`);
    case 'contentRef':
      return `[${part.uri}](${part.uri})`;
    case 'systemNotification':
      return `_${wordsOf(part.content)}_`;
    case 'toolCall': {
      const { toolCall: call } = part;
      const what = call.invocationMessage === undefined ? '' : `: ${wordsOf(call.invocationMessage)}`;
      const result = call.status === 'completed' ? ` (${call.success ? 'done' : 'failed'})` : ` (${call.status})`;
      return `- **${call.displayName}**${what}${result}`;
    }
  }
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
