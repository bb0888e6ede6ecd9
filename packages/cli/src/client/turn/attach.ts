import { type Client, turnCancelled } from '@moorage/client';
import { errorOf, type Turn } from '@moorage/protocol';
import { CommandError, ExitCode } from '../errors.js';
import { lost, noteError } from '../host/open.js';
import { colour, note, print } from '../output/out.js';
import { plain, plainLine } from '../output/plain.js';
import type { LiveSession } from '../sessions/live-session.js';
import { detailsOf } from './approval-text.js';
import { CommandOutput } from './command-output.js';
import { Completer } from './completer.js';
import { announce } from './follow.js';
import { type Approval, pendingRequests, requestId } from './pending-requests.js';
import { Prompter } from './prompter.js';
import { answerInput } from './prompter-input.js';
import { queueMessage, startTurn } from './start.js';
import { TurnView } from './view.js';

export interface Attaching {
  /** Leave when no turn is running and none is queued. */
  readonly once: boolean;
  readonly json: boolean;
  /** How many earlier turns to show. */
  readonly earlier: number;
}

/** Follows a session until the user leaves (Ctrl-D, or Ctrl-C when no turn is running) or the session ends. */
export async function attachTo(client: Client, live: LiveSession, { once, json, earlier }: Attaching): Promise<void> {
  const shown = new Set(live.main.confirmed.turns.slice(0, earlier > 0 ? -earlier : undefined).map(({ id }) => id));
  const views = new Map<string, TurnView>();
  let current: TurnView | undefined;
  let leave = () => {};
  let stopWaiting = () => {};
  const onInterrupt = () => {
    const { activeTurn } = live.main.confirmed;
    if (!activeTurn || interrupted === activeTurn.id) return leave();
    interrupted = activeTurn.id;
    note('\nmoorage: cancelling the turn; Ctrl-C again leaves');
    live.main.dispatch(turnCancelled(activeTurn)).catch(() => {}); // it ended by itself
  };
  let interrupted: string | undefined;
  /** Messages that are on the screen already, because they were typed here. */
  const typed: string[] = [];
  const completer = new Completer(client, live.main.uri);
  const onLine = (line: string) => {
    if (line.trim() === '') return;
    typed.push(line);
    const isBusy = live.main.confirmed.activeTurn !== undefined;
    const attachments = completer.attachmentsFor(line);
    const sending = (isBusy ? queueMessage : startTurn)(live, line, { attachments });
    sending.then(
      () => isBusy && note(colour.dim('(queued)')),
      (error: unknown) => noteError(error),
    );
  };
  const input = json ? undefined : answerInput();
  const allPending = () => pendingRequests(live.chats);
  const announced = new Set<string>();
  /** There is nobody to ask here, so that others must know what is waited for. */
  const announceNew = () => {
    for (const pending of allPending()) {
      if (announced.has(requestId(pending))) continue;
      announced.add(requestId(pending));
      announce(pending, live.shortId);
    }
  };
  const endLine = () => current?.endLine();
  const details = (pending: Approval) => detailsOf(live, pending);
  const onEnd = () => {
    if (input === 'pipe') {
      for (const pending of allPending()) announce(pending, live.shortId);
      process.exitCode = ExitCode.Detached;
    }
    leave();
  };
  let inputEnded = false;
  let check = () => {};
  const onInputEnd = () => {
    inputEnded = true;
    check();
  };
  const output = new CommandOutput(client, () => check());
  const complete = (line: string) => completer.complete(line);
  const prompter =
    input && new Prompter({ input, allPending, endLine, details, onLine, onInterrupt, onEnd, onInputEnd, complete });
  if (input === 'terminal')
    note(
      colour.dim('Type a message; Tab completes @files, #symbols and /commands. Ctrl-C cancels a turn, Ctrl-D leaves.'),
    );

  const show = (turn: Pick<Turn, 'id' | 'message' | 'responseParts'>) => {
    let view = views.get(turn.id);
    if (!view) {
      current?.endLine();
      const own = typed.indexOf(turn.message.text);
      if (own < 0) print(`${colour.bold(`> ${plain(turn.message.text)}`)}\n`);
      else typed.splice(own, 1);
      view = new TurnView(output);
      views.set(turn.id, view);
    }
    current = view;
    view.show(turn.responseParts);
  };
  const finish = (turn: Turn) => {
    show(turn);
    shown.add(turn.id);
    views.delete(turn.id);
    current?.endLine();
    if (turn.state === 'error') print(`${colour.red(`[failed: ${plainLine(errorOf(turn)?.message ?? '')}]`)}\n`);
    if (turn.state === 'cancelled') print(`${colour.yellow('[cancelled]')}\n`);
  };
  const stopRepeating = client.onStatus((status) => status === 'live' && prompter?.repeat());
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onEnd);
  try {
    await new Promise<void>((resolve, reject) => {
      leave = resolve;
      const end = () => {
        note('moorage: the session has ended');
        resolve();
      };
      check = () => {
        const { turns, activeTurn, queuedMessages } = live.main.confirmed;
        prompter?.withdrawSettled();
        if (!json && !prompter?.isAsking) {
          for (const turn of turns) if (!shown.has(turn.id)) finish(turn);
          if (activeTurn) show(activeTurn);
        }
        if (prompter) prompter.update();
        else if (!json) announceNew();
        if (live.main.status === 'gone') return client.status === 'closed' ? reject(connectionLost(live)) : end();
        // Queued messages are taken up only after a turn that completed, not after one that was cancelled or failed.
        const hasNext = queuedMessages !== undefined && turns.at(-1)?.state === 'complete';
        if ((once || inputEnded) && !activeTurn && !hasNext) resolve();
      };
      stopWaiting = live.onChange(check);
      check();
    });
  } finally {
    stopWaiting();
    check = () => {};
    output.close();
    stopRepeating();
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onEnd);
    current?.endLine();
    prompter?.close();
  }
}

function connectionLost(live: LiveSession): CommandError {
  const code = live.main.confirmed.activeTurn ? ExitCode.Detached : ExitCode.Failed;
  return new CommandError(lost(`attach ${live.shortId}`), code);
}
