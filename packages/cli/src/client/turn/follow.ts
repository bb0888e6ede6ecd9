import { turnCancelled } from '@moorage/client';
import { type ErrorInfo, errorOf, type Turn } from '@moorage/protocol';
import { ExitCode } from '../errors.js';
import { lost, noteError } from '../host/open.js';
import { colour, note } from '../output/out.js';
import { plainLine } from '../output/plain.js';
import { StatusLine } from '../output/status-line.js';
import type { LiveSession } from '../sessions/live-session.js';
import { declined } from './answers.js';
import { detailsOf } from './approval-text.js';
import { titleOf } from './call-text.js';
import { CommandOutput } from './command-output.js';
import { type Approval, decision, type PendingRequest, pendingRequests, requestId } from './pending-requests.js';
import { Prompter } from './prompter.js';
import { answerInput } from './prompter-input.js';
import { TurnView } from './view.js';

/** Who decides on what an agent asks: the user at this terminal, whoever does so elsewhere, or an option that decides it all. */
export type Policy = 'ask' | 'wait' | 'allow' | 'deny';

export interface Following {
  readonly policy: Policy;
  /** Whether the turn is printed for people. */
  readonly prints: boolean;
}

export type TurnEnd =
  | (Turn & { readonly error?: ErrorInfo | undefined })
  | { readonly state: 'cancelled' | 'detached' | 'lost' };

/** Follows a turn to its end, deciding on the way. Ctrl-C cancels the turn; a second one leaves it. */
export async function followTurn(live: LiveSession, turnId: string, how: Following): Promise<TurnEnd> {
  let check = () => {};
  const output = new CommandOutput(live.client, () => check());
  const view = new TurnView(output);
  const preparing = new StatusLine();
  const decided = new Set<string>();
  let interrupts = 0;
  let leave = () => {};
  let stopWaiting = () => {};
  const onInterrupt = () => {
    if (++interrupts > 1) return leave();
    note('\nmoorage: cancelling the turn; Ctrl-C again leaves it as it is');
    const { activeTurn } = live.main.confirmed;
    if (activeTurn?.id !== turnId) return;
    live.main.dispatch(turnCancelled(activeTurn)).catch(() => {}); // it ended by itself
  };
  const allPending = () => pendingRequests(live.chats);
  const details = (pending: Approval) => detailsOf(live, pending);
  const onTerminate = () => leave();
  const input = how.policy === 'ask' && how.prints ? (answerInput() ?? 'terminal') : undefined;
  const onEnd = () => {
    if (input === 'pipe') for (const pending of allPending()) announce(pending, live.shortId);
    leave();
  };
  const endLine = () => view.endLine();
  const prompter = input && new Prompter({ input, allPending, endLine, details, onInterrupt, onEnd });
  const stopRepeating = live.client.onStatus((status) => status === 'live' && prompter?.repeat());
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  try {
    return await new Promise<TurnEnd>((resolve) => {
      leave = () => resolve({ state: 'detached' });
      check = () => {
        const { activeTurn, turns } = live.main.confirmed;
        const ended = turns.find(({ id }) => id === turnId);
        const turn = ended ?? (activeTurn?.id === turnId ? activeTurn : undefined);
        prompter?.withdrawSettled(); // or what came with the end of the turn would never be printed
        // While we ask, the cursor is in the question; what arrives meanwhile is printed after the answer.
        if (how.prints && turn && !prompter?.isAsking) {
          const isSilent = !ended && turn.responseParts.length === 0 && allPending().length === 0;
          preparing.show(isSilent ? live.session.confirmed.activity : undefined);
          view.show(turn.responseParts);
        }
        if (ended) return resolve({ ...ended, error: errorOf(ended) });
        if (live.main.status === 'gone')
          return resolve({ state: live.client.status === 'closed' ? 'lost' : 'cancelled' });
        if (prompter) prompter.update();
        else for (const pending of allPending()) if (!decided.has(requestId(pending))) settle(pending);
      };
      const settle = (pending: PendingRequest) => {
        decided.add(requestId(pending));
        settleBy(how.policy, pending, live);
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
    process.off('SIGTERM', onTerminate);
    prompter?.close();
    preparing.show(undefined);
    if (how.prints) view.endLine();
  }
}

/** Unless an option decides, a person or a pipe is asked; without input it waits for somebody who decides elsewhere. */
export function defaultPolicy(options: { yes?: boolean; deny?: boolean; json?: boolean }): Policy {
  if (options.yes) return 'allow';
  if (options.deny) return 'deny';
  return answerInput() !== undefined && !options.json ? 'ask' : 'wait';
}

export function exitCodeOf(end: TurnEnd): number {
  switch (end.state) {
    case 'complete':
      return ExitCode.Done;
    case 'cancelled':
      return ExitCode.Cancelled;
    case 'detached':
    case 'lost':
      return ExitCode.Detached;
    case 'error':
      return ExitCode.Failed;
  }
}

/** Says how a turn ended, unless it ended well. */
export function reportEnd(end: TurnEnd, session: string): void {
  if (end.state === 'detached') note(`The turn goes on. Come back with: moorage attach ${session}`);
  if (end.state === 'lost') note(`moorage: ${lost(`attach ${session}`)}`);
  if (end.state === 'error') note(colour.red(`The turn failed: ${plainLine(end.error?.message ?? 'no reason given')}`));
  if (end.state === 'cancelled') note(colour.yellow('The turn was cancelled.'));
}

function settleBy(policy: Policy, pending: PendingRequest, live: LiveSession) {
  if (policy === 'wait' || (policy === 'allow' && pending.kind === 'question')) return announce(pending, live.shortId);
  const action = pending.kind === 'question' ? declined(pending.request) : decision(pending, policy === 'allow');
  pending.chat.dispatch(action).catch(noteError);
}

export function announce(pending: PendingRequest, session: string): void {
  if (pending.kind === 'question') {
    const question = pending.request.questions?.[0]?.message ?? pending.request.message ?? '';
    note(`moorage: the agent asks: ${plainLine(question)}\nAnswer with: moorage answer ${session} ANSWER`);
  } else {
    note(
      `moorage: waiting for approval: ${titleOf(pending.call)}\nLook at it with: moorage show ${session}\nDecide with: moorage approve ${session}, or: moorage deny ${session}`,
    );
  }
}
