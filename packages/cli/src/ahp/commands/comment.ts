import { randomUUID } from 'node:crypto';
import { annotationsUri } from '@ahpd/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { pathOf } from '../changes/paths.js';
import { findTurn } from '../changes/select.js';
import { type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { findSession } from '../sessions/find.js';
import { LiveSession } from '../sessions/live-session.js';
import { sent } from '../turn/start.js';
import { sentence } from '../turn/view.js';

interface CommentOptions extends CommonOptions {
  readonly turn?: string;
  readonly resolve?: string;
}

export default function commentCommand(): Command {
  return command('comment <session> [place] [text...]', 'Comment on a file, or list the comments of a session.', [
    'ahp comment 4f2a                                  # list them',
    'ahp comment 4f2a src/main.ts:12 "Why not const?"',
    'ahp comment 4f2a src/main.ts:12-18 "Split this"',
    'ahp comment 4f2a --resolve 91ab                   # mark one as done',
  ])
    .option('--turn <turn>', 'the turn it is about (default: the last)')
    .option('--resolve <comment>', 'mark a comment as resolved, by the start of its id')
    .action(comment);
}

async function comment(
  wanted: string,
  place: string | undefined,
  words: string[],
  options: CommentOptions,
): Promise<void> {
  await withHost(options, async (client) => {
    const live = await LiveSession.open(client, (await findSession(client, wanted)).resource);
    const { summary } = live.session.confirmed;
    const mirror = await client.annotations(annotationsUri(live.session.uri));
    const { annotations } = mirror.confirmed;
    if (options.resolve !== undefined) {
      const found = annotations.filter(({ id }) => id.startsWith(options.resolve ?? ''));
      const [annotation] = found;
      if (!annotation || found.length > 1)
        throw new CommandError(`${found.length || 'no'} comments start with "${options.resolve}"`);
      await sent(mirror.dispatch({ type: 'annotations/updated', annotationId: annotation.id, resolved: true }));
      return printLine(options.json ? jsonLine({ resolved: annotation.id }) : 'resolved');
    }
    if (place === undefined) {
      if (options.json) return printLine(jsonLine(annotations));
      if (annotations.length === 0) note('No comments.');
      for (const { id, resource, range, resolved, entries } of annotations) {
        const lines = range ? `:${range.start.line + 1}` : '';
        const file = plainLine(pathOf(resource, summary.workingDirectory));
        printLine(`${plainLine(id.slice(0, 8))}  ${file}${lines}${resolved ? ' (resolved)' : ''}`);
        for (const { text } of entries) printLine(`    ${sentence(text)}`);
      }
      return;
    }
    const text = words.join(' ').trim();
    if (text === '')
      throw new UsageError('say what the comment is, for example: ahp comment SESSION src/main.ts:12 "Why?"');
    const turnId = findTurn(live.main.confirmed, options.turn ?? '-1');
    const target = readPlace(place, summary.workingDirectory);
    const annotation = { id: randomUUID(), turnId, ...target, resolved: false, entries: [{ id: randomUUID(), text }] };
    await sent(mirror.dispatch({ type: 'annotations/set', annotation }));
    printLine(options.json ? jsonLine(annotation) : `comment ${annotation.id.slice(0, 8)}`);
  });
}

/** `path`, `path:12` or `path:12-18`; lines count from 1 for people, from 0 in the protocol. */
function readPlace(place: string, folder: string | undefined) {
  if (folder === undefined) throw new CommandError('the session has no folder, so there is no file to comment on');
  const match = /^(.+?)(?::(\d+)(?:-(\d+))?)?$/.exec(place);
  const [, path = place, from, to = from] = match ?? [];
  const resource = `${folder.replace(/\/$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}`;
  if (from === undefined) return { resource };
  const [start, end] = [Number(from), Number(to)];
  if (start < 1 || end < start) throw new UsageError(`${place}: lines count from 1, and the first comes first`);
  return { resource, range: { start: { line: start - 1, character: 0 }, end: { line: end, character: 0 } } };
}
