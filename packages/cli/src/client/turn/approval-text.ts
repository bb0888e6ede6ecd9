import type { Client } from '@moorage/client';
import { type FileEdit, isObject, primaryDirectory, type ToolInput } from '@moorage/protocol';
import { editLines } from '../changes/edits.js';
import { diffPaint } from '../changes/paint.js';
import { readText } from '../changes/read-text.js';
import { colour } from '../output/out.js';
import { plain, plainLine, sentence } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import type { LiveSession } from '../sessions/live-session.js';
import { titleOf } from './call-text.js';
import type { Approval } from './pending-requests.js';

/** What the user bases a decision on. */
export interface Details {
  /** As much as fits above the question. */
  readonly brief: readonly string[];
  /** Whether `brief` is less than everything. */
  readonly isCut: boolean;
  readonly whole: readonly string[];
}

/** Lines shown above a question; more would push its title out of sight. */
const MAX_LINES = 30;
/** Characters shown of a line: a few rows of a terminal. */
const MAX_LINE_LENGTH = 400;

/** The question, up to where the answer is typed. */
export function approvalText(pending: Approval, details: Details): string {
  const title = pending.kind === 'result' ? titleOf(pending.call) : titleOfApproval(pending);
  const options = pending.kind === 'result' ? [] : (pending.call.options ?? []);
  const choices = options.map(({ label }, index) => `  ${index + 1}) ${plainLine(label)}`);
  const question = pending.kind === 'result' ? 'Let the agent see this result?' : 'Allow it?';
  return [title, ...details.brief, ...choices, `${question} [y/n/a(ll)${details.isCut ? '/v(iew all)' : ''}] `].join(
    '\n',
  );
}

/** The input of a call and what it would do to files; for a finished call, its result. */
export async function detailsOf({ client, session }: LiveSession, pending: Approval): Promise<Details> {
  const read = editLines(client, editsOf(pending), primaryDirectory(session.confirmed));
  const edits = (await withProgress('reading what changes', read)).flatMap(({ title, hunks }) => [
    { text: title, paint: colour.bold },
    ...hunks.map((text) => ({ text: `  ${text}`, paint: diffPaint(text) })),
  ]);
  const texts = (await detailText(client, pending)).map((text) => ({ text: `  ${text}`, paint: colour.dim }));
  const lines = [...texts, ...edits];
  const brief = lines.slice(0, MAX_LINES).map(({ text, paint }) => paint(shortened(text)));
  const more = lines.length - brief.length;
  const isLong = lines.some(({ text }) => text.length > MAX_LINE_LENGTH);
  return {
    brief: more > 0 ? [...brief, colour.dim(`  ... ${more} more lines`)] : brief,
    isCut: more > 0 || isLong,
    whole: lines.map(({ text, paint }) => paint(text)),
  };
}

function editsOf(pending: Approval): readonly FileEdit[] {
  if (pending.kind === 'approval') return pending.call.edits?.items ?? [];
  return (pending.call.content ?? []).flatMap((part) => (part.type === 'fileEdit' ? [part] : []));
}

async function detailText(client: Client, pending: Approval): Promise<string[]> {
  if (pending.kind === 'approval') return commandLines(await inputText(client, pending.call.toolInput));
  return (pending.call.content ?? []).flatMap((part) => {
    if (part.type === 'fileEdit') return [];
    return part.type === 'text' ? linesOf(part.text) : [`(${plainLine(part.type)})`];
  });
}

/** A command as a shell shows it, if the input is JSON with nothing else in it; otherwise all of the input, as it is. */
function commandLines(input: string | undefined): string[] {
  const value = input === undefined ? undefined : jsonOf(input);
  if (!isObject(value) || typeof value.command !== 'string' || Object.keys(value).length > 1) return linesOf(input);
  return linesOf(value.command).map((line, index) => `${index === 0 ? '$' : ' '} ${line}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Long input is not in the state itself. */
async function inputText(client: Client, input: ToolInput | undefined): Promise<string | undefined> {
  if (typeof input !== 'object') return input;
  try {
    return await readText(client, input.uri);
  } catch (error) {
    return `(cannot be shown: ${plainLine(error instanceof Error ? error.message : String(error))})`;
  }
}

function linesOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : plain(text).split('\n');
}

function titleOfApproval({ call }: Extract<Approval, { kind: 'approval' }>): string {
  return call.confirmationTitle === undefined ? titleOf(call) : sentence(call.confirmationTitle);
}

function shortened(text: string): string {
  const more = text.length - MAX_LINE_LENGTH;
  return more > 0 ? `${text.slice(0, MAX_LINE_LENGTH)} ... ${more} more characters` : text;
}
