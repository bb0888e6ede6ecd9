import {
  type ActiveTurn,
  answeredQuestions,
  type ChatState,
  createdAtOf,
  ExtensionMeta,
  errorOf,
  type InputRequestResponsePart,
  type Message,
  type MessageAttachment,
  primaryDirectory,
  type ResponsePart,
  type SessionState,
  selectionOf,
  type ToolCallState,
  type Turn,
  wordsOf,
} from '@moorage/protocol';
import { steeringOf } from '@moorage/protocol/internal';
import { responseText } from '../turn/answers.js';

/** A session as a markdown document, its own chat first. */
export function sessionMarkdown(uri: string, session: SessionState, chats: readonly ChatState[]): string {
  const [main] = chats;
  const model = main && selectionOf(main).model;
  const folder = primaryDirectory(session);
  const createdAt = createdAtOf(session);
  const facts = [
    `- Session: \`${uri}\``,
    `- Agent: ${session.provider}${model ? `, ${model.id}` : ''}`,
    ...(folder === undefined ? [] : [`- Folder: \`${folder}\``]),
    ...(createdAt === 0 ? [] : [`- Started: ${new Date(createdAt).toISOString()}`]),
  ];
  const [own, ...others] = chats.map(chatMarkdown);
  const more = others.map((text, index) => `# ${chats[index + 1]?.title || 'Another chat'}\n\n${text}`);
  return `${[`# ${session.title || 'Session'}`, facts.join('\n'), own, ...more].join('\n\n')}\n`;
}

function chatMarkdown({ turns, activeTurn }: ChatState): string {
  const all = [...turns, ...(activeTurn ? [activeTurn] : [])];
  return all.map((turn, index) => turnMarkdown(turn, index + 1)).join('\n\n');
}

export function turnMarkdown(turn: Turn | ActiveTurn, number: number): string {
  const end = 'state' in turn ? endText(turn) : ['_still running_'];
  const parts = turn.responseParts.map(partMarkdown).filter((text) => text !== '');
  return [`## Turn ${number}`, messageMarkdown(turn.message), ...parts, ...end].join('\n\n');
}

/** What somebody said, and what they attached. */
function messageMarkdown({ text, attachments = [], _meta }: Message): string {
  const name = _meta?.[ExtensionMeta.person];
  const said = typeof name === 'string' ? `**${name}:** ${text}` : text;
  return quoted([said, ...attachments.map(attachmentText)].filter((line) => line !== '').join('\n\n'));
}

function attachmentText(attachment: MessageAttachment): string {
  const where = 'uri' in attachment ? attachment.uri : 'resource' in attachment ? attachment.resource : undefined;
  const line = `[attached: ${attachment.label}${typeof where === 'string' ? `, ${where}` : ''}]`;
  const text = attachment.type === 'simple' ? attachment.modelRepresentation : undefined;
  return text ? `${line}\n${text}` : line;
}

function endText(turn: Turn): string[] {
  if (turn.state === 'complete') return [];
  return [turn.state === 'error' ? `**Failed:** ${errorOf(turn)?.message ?? ''}` : '_cancelled_'];
}

function partMarkdown(part: ResponsePart): string {
  switch (part.kind) {
    case 'markdown':
      return part.content.trim();
    case 'reasoning':
      return quoted(`_${part.content.trim()}_`);
    case 'contentRef':
      return `[${part.uri}](${part.uri})`;
    case 'systemNotification': {
      const steering = steeringOf(part);
      return steering ? messageMarkdown(steering.message) : `_${wordsOf(part.content)}_`;
    }
    case 'inputRequest':
      return requestMarkdown(part);
    case 'error':
      return ''; // the end of the turn says it
    case 'toolCall': {
      const { toolCall: call } = part;
      const what = call.invocationMessage === undefined ? '' : `: ${wordsOf(call.invocationMessage)}`;
      const result = call.status === 'completed' ? ` (${call.success ? 'done' : 'failed'})` : ` (${call.status})`;
      return [`- **${call.displayName}**${what}${result}${deciderIn(call._meta)}`, ...outputOf(call)].join('\n\n');
    }
  }
}

/** Who decided about a call or answered a question. */
function deciderIn(meta: Readonly<Record<string, unknown>> | undefined): string {
  const name = meta?.[ExtensionMeta.decidedBy];
  return typeof name === 'string' ? `, decided by ${name}` : '';
}

/** What the agent asked, and what it was answered. */
function requestMarkdown({ request, response, _meta }: InputRequestResponsePart): string {
  const about = [request.message, request.url].filter((text) => text !== undefined).join(' ');
  const rows = answeredQuestions(request).map(({ question, answer }) => {
    return `  - ${question}${answer === undefined ? '' : `: ${answer}`}`;
  });
  return [
    `- **Question**${about === '' ? '' : `: ${about}`} (${responseText(response)})${deciderIn(_meta)}`,
    ...rows,
  ].join('\n');
}

/** What a call printed or gave. Where it ran in a terminal, this is the terminal's text. */
function outputOf(call: ToolCallState): string[] {
  const content = 'content' in call ? (call.content ?? []) : [];
  return content.flatMap((item) => {
    if (item.type === 'resource') return [`  [${item.uri}](${item.uri})`];
    if (item.type !== 'text' || item.text.trim() === '') return [];
    const longest = Math.max(2, ...[...item.text.matchAll(/`+/g)].map(([run]) => run.length));
    const fence = '`'.repeat(longest + 1);
    return [[fence, item.text.trimEnd(), fence].map(indented).join('\n')];
  });
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
