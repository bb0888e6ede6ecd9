import type { Client } from '@moorage/client';
import { annotationsUri, type MessageAttachment } from '@moorage/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { amount, type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { assertServedHere } from '../host/elsewhere.js';
import { withHost } from '../host/open.js';
import { printLine } from '../output/out.js';
import { jsonLine } from '../output/plain.js';
import { plural } from '../output/plural.js';
import { folderUri, isIn, listSessions, namedSession, shortId } from '../sessions/find.js';
import { LiveSession } from '../sessions/live-session.js';
import { isArchived } from '../sessions/status.js';
import { printEnvelopes } from '../turn/envelopes.js';
import { defaultPolicy, exitCodeOf, followTurn, reportEnd } from '../turn/follow.js';
import { readPiped, readPrompt } from '../turn/read-prompt.js';
import { queuedTurn, queueMessage, startTurn, steer } from '../turn/start.js';

interface SendOptions extends CommonOptions {
  readonly steer?: boolean;
  readonly wait?: boolean;
  readonly yes?: boolean;
  readonly deny?: boolean;
  readonly comments?: boolean;
  readonly budget?: number;
}

export default function sendCommand(): Command {
  return command('send <session> [message...]', 'Send a message; while a turn runs it waits in the queue.', [
    'moorage send 4f2a "And now the tests"',
    'moorage send "And now the tests"                 # if this folder has just one session',
    'moorage send 4f2a --wait "And now the tests"     # follow the answer',
    'moorage send 4f2a --steer "Only in src/"         # into the turn that runs',
    'moorage send 4f2a --budget 10 "Go on"            # of a session whose budget is used up',
  ])
    .option('--steer', 'hand it to the agent in the turn that runs')
    .option('--comments', 'attach the open comments of the session')
    .option('--budget <amount>', 'first change the budget of the session; 0: no limit', amount)
    .option('-w, --wait', 'follow the turn to its end')
    .option('-y, --yes', 'with --wait: approve everything')
    .option('--deny', 'with --wait: deny everything')
    .action(send);
}

async function send(session: string, words: string[], options: SendOptions): Promise<void> {
  if (options.steer && options.wait)
    throw new UsageError('--steer joins a turn that runs: follow it with moorage attach');
  const piped = words.length === 0 ? await readPiped() : '';
  const text = words.length === 0 ? piped || session : await readPrompt(words);
  process.exitCode = await withHost(options, async (client) => {
    const isOnlyText = words.length === 0 && piped === '';
    const live = isOnlyText ? await onlySessionHere(client, session) : await LiveSession.find(client, session);
    const { budget } = options;
    if (budget !== undefined) await live.session.dispatch({ type: 'session/configChanged', config: { budget } });
    const attachments = options.comments ? await openComments(client, live) : [];
    const isBusy = live.main.confirmed.activeTurn !== undefined;
    if (options.steer) {
      if (!isBusy) throw new UsageError('no turn is running: send it without --steer');
      const { id, joined } = await steer(live, text, attachments);
      const done = `sent to the running turn${joined ? ', with the message that waits there already' : ''}`;
      printLine(options.json ? jsonLine({ steering: id }) : done);
      return 0;
    }
    if (isBusy && !options.wait) {
      const queued = await queueMessage(live, text, { attachments });
      printLine(options.json ? jsonLine({ queued }) : 'queued');
      return 0;
    }
    if (options.json && options.wait) printEnvelopes(client, live);
    const turnId = await (isBusy ? queuedTurn : startTurn)(live, text, { attachments });
    if (!options.wait) {
      printLine(options.json ? jsonLine({ started: turnId }) : 'started');
      return 0;
    }
    const end = await followTurn(live, turnId, { policy: defaultPolicy(options), prints: !options.json });
    if (options.json) printLine(jsonLine({ result: { turnId, ...end } }));
    else reportEnd(end, live.shortId);
    return exitCodeOf(end);
  });
}

/** For `moorage send TEXT`: the session of this folder, if that leaves no doubt. */
async function onlySessionHere(client: Client, text: string): Promise<LiveSession> {
  const sessions = (await listSessions(client)).filter(({ status }) => !isArchived(status));
  const named = namedSession(sessions, text);
  if (named) throw new UsageError(`say what to send: moorage send ${shortId(named)} "MESSAGE"`);
  const here = folderUri('.');
  const [only, ...others] = sessions.filter((session) => isIn(session, here));
  if (only && others.length === 0) {
    assertServedHere(only);
    return LiveSession.open(client, only.resource);
  }
  const found = only ? `this folder has ${plural(others.length + 1, 'session')}` : 'this folder has no session';
  throw new UsageError(`${found}; name one: moorage send SESSION "MESSAGE"\nList them with: moorage ls`);
}

/** All unresolved comments as one attachment, which the host writes out for the agent. */
async function openComments(client: Client, live: LiveSession): Promise<MessageAttachment[]> {
  const resource = annotationsUri(live.session.uri);
  const { annotations } = (await client.annotations(resource)).confirmed;
  const annotationIds = annotations.filter(({ resolved }) => !resolved).map(({ id }) => id);
  if (annotationIds.length === 0) throw new CommandError('the session has no open comments');
  return [{ type: 'annotations', label: plural(annotationIds.length, 'comment'), resource, annotationIds }];
}
