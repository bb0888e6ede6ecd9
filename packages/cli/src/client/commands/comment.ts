import { randomUUID } from 'node:crypto';
import type { Client, Mirror } from '@moorage/client';
import {
  type Annotation,
  type AnnotationEntry,
  annotationsUri,
  ExtensionMeta,
  fileUriIn,
  primaryDirectory,
} from '@moorage/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { describeLocation } from '../changes/comment-location.js';
import { readText } from '../changes/read-text.js';
import { type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine, sentence } from '../output/plain.js';
import { findTurn } from '../sessions/find-turn.js';
import { LiveSession } from '../sessions/live-session.js';

interface CommentOptions extends CommonOptions {
  readonly turn?: string;
  readonly reply?: string;
  readonly resolve?: string;
  readonly reopen?: string;
  readonly remove?: string;
}

export default function commentCommand(): Command {
  return command('comment <session> [place] [text...]', 'Comment on a file, or list the comments of a session.', [
    'moorage comment 4f2a                                  # list them',
    'moorage comment 4f2a src/main.ts:12 "Why not const?"',
    'moorage comment 4f2a src/main.ts:12-18 "Split this"',
    'moorage comment 4f2a --reply 91ab "Because it changes"',
    'moorage comment 4f2a --resolve 91ab                   # mark one as done; --reopen, --remove',
    'moorage send 4f2a --comments "Please see to these"    # give them to the agent',
  ])
    .option('--turn <turn>', 'the turn it is about (default: the last)')
    .option('--reply <comment>', 'answer a comment, named by the start of its id')
    .option('--resolve <comment>', 'mark a comment as resolved')
    .option('--reopen <comment>', 'mark a comment as open again')
    .option('--remove <comment>', 'remove a comment with its answers')
    .action(comment);
}

async function comment(
  wanted: string,
  place: string | undefined,
  words: string[],
  options: CommentOptions,
): Promise<void> {
  const { reply, resolve, reopen, remove } = options;
  if ([reply, resolve, reopen, remove].filter((id) => id !== undefined).length > 1)
    throw new UsageError('give only one of --reply, --resolve, --reopen and --remove');
  await withHost(options, async (client) => {
    const live = await LiveSession.find(client, wanted);
    const mirror = await client.annotations(annotationsUri(live.session.uri));
    const text = [place, ...words]
      .filter((word) => word !== undefined)
      .join(' ')
      .trim();
    const say = (done: object, words: string) => printLine(options.json ? jsonLine(done) : words);
    if (reply !== undefined) {
      if (text === '')
        throw new UsageError('say what the answer is, for example: moorage comment SESSION --reply 91ab "Yes"');
      const { id } = find(mirror, reply);
      const entry = newEntry(text);
      await mirror.dispatch({ type: 'annotations/entrySet', annotationId: id, entry });
      return say({ replied: id, entry }, 'replied');
    }
    if (remove !== undefined) {
      const { id } = find(mirror, remove);
      await mirror.dispatch({ type: 'annotations/removed', annotationId: id });
      return say({ removed: id }, 'removed');
    }
    const marked = resolve ?? reopen;
    if (marked !== undefined) {
      const { id } = find(mirror, marked);
      const resolved = resolve !== undefined;
      await mirror.dispatch({ type: 'annotations/updated', annotationId: id, resolved });
      return say(resolved ? { resolved: id } : { reopened: id }, resolved ? 'resolved' : 'reopened');
    }
    if (place === undefined) return list(mirror.confirmed.annotations, live, options.json === true);
    const annotation = await newComment(client, live, place, words.join(' ').trim(), options.turn);
    await mirror.dispatch({ type: 'annotations/set', annotation });
    say(annotation, `comment ${annotation.id.slice(0, 8)}`);
  });
}

function find({ confirmed }: Mirror<'annotations'>, start: string): Annotation {
  const found = confirmed.annotations.filter(({ id }) => id.startsWith(start));
  const [annotation] = found;
  if (annotation && found.length === 1) return annotation;
  const problem = found.length === 0 ? 'there is no comment' : 'there are several comments';
  throw new CommandError(`${problem} with an id that starts with "${start}": moorage comment SESSION lists them`);
}

function list(annotations: readonly Annotation[], live: LiveSession, json: boolean): void {
  if (json) {
    printLine(jsonLine(annotations));
    return;
  }
  if (annotations.length === 0) note('No comments.');
  const folder = primaryDirectory(live.session.confirmed);
  for (const annotation of annotations) {
    const where = plainLine(describeLocation(annotation, folder));
    printLine(`${plainLine(annotation.id.slice(0, 8))}  ${where}${annotation.resolved ? ' (resolved)' : ''}`);
    for (const { text } of annotation.entries) printLine(`    ${sentence(text)}`);
  }
}

/** Includes the lines as the user saw them, by which the host knows which version of the file they belong to. */
async function newComment(
  client: Client,
  live: LiveSession,
  place: string,
  text: string,
  turn: string | undefined,
): Promise<Annotation> {
  if (text === '')
    throw new UsageError('say what the comment is, for example: moorage comment SESSION src/main.ts:12 "Why?"');
  const target = readPlace(place, primaryDirectory(live.session.confirmed));
  const turnId = findTurn(live.main.confirmed, turn ?? '-1');
  const seen = turn === undefined && target.range ? await linesAt(client, target.resource, target.range) : undefined;
  return {
    id: randomUUID(),
    origin: { session: live.session.uri, chat: live.main.uri, turnId },
    ...target,
    resolved: false,
    entries: [newEntry(text)],
    ...(seen !== undefined && { _meta: { [ExtensionMeta.lines]: seen } }),
  };
}

function newEntry(text: string): AnnotationEntry {
  const writtenAt = new Date().toISOString();
  const author = { name: 'Command line' };
  return { id: randomUUID(), text, _meta: { [ExtensionMeta.author]: author, [ExtensionMeta.writtenAt]: writtenAt } };
}

/** The lines as they are now; nothing when the file cannot be read. */
async function linesAt(
  client: Client,
  uri: string,
  { start, end }: NonNullable<Annotation['range']>,
): Promise<string | undefined> {
  try {
    return (await readText(client, uri))
      .split(/\r\n|\n|\r/)
      .slice(start.line, end.line)
      .join('\n');
  } catch {
    return undefined;
  }
}

/** `path`, `path:12` or `path:12-18`. Lines count from 1 here, and from 0 in the protocol. */
function readPlace(place: string, folder: string | undefined) {
  if (folder === undefined) throw new CommandError('the session has no folder, so there is no file to comment on');
  const match = /^(.+?)(?::(\d+)(?:-(\d+))?)?$/.exec(place);
  const [, path = place, from, to = from] = match ?? [];
  const resource = fileUriIn(folder, path);
  if (from === undefined) return { resource };
  const [start, end] = [Number(from), Number(to)];
  if (start < 1 || end < start) throw new UsageError(`${place}: lines count from 1, and the first comes first`);
  return { resource, range: { start: { line: start - 1, character: 0 }, end: { line: end, character: 0 } } };
}
