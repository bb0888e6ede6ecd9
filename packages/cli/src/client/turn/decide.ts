import type { Client } from '@moorage/client';
import type { CommonOptions } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { LiveSession } from '../sessions/live-session.js';
import { titleOf } from './call-text.js';
import { type Approval, decision, type PendingRequest, pendingRequests, requestId } from './pending-requests.js';

export interface DecideOptions extends CommonOptions {
  readonly all?: boolean;
  readonly reason?: string;
  readonly option?: string;
}

/** `moorage approve` and `moorage deny`: decides on the one open call of a session, on a named one, or on all. */
export async function decide(
  approved: boolean,
  session: string | undefined,
  callId: string | undefined,
  options: DecideOptions,
): Promise<void> {
  await withHost(options, async (client) => {
    const allPending = await pendingIn(client, session);
    const approvals = allPending.filter((pending): pending is Approval => pending.kind !== 'question');
    const chosen = choose(approvals, callId, options.all === true);
    for (const pending of chosen) {
      const optionId = options.option === undefined ? {} : { optionId: findOption(pending, options.option, approved) };
      const reason = options.reason === undefined ? {} : { reason: options.reason };
      await pending.chat.dispatch(decision(pending, approved, { ...optionId, ...reason }));
    }
    const done = approved ? 'approved' : 'denied';
    if (options.json) printLine(jsonLine({ [done]: chosen.map(requestId) }));
    else for (const { call } of chosen) printLine(`${done} ${titleOf(call)}`);
  });
}

/** What waits for the user in all chats of a session. */
export async function pendingIn(client: Client, session: string | undefined): Promise<PendingRequest[]> {
  const live = await LiveSession.find(client, session);
  return pendingRequests(await live.allChats());
}

function choose(approvals: readonly Approval[], callId: string | undefined, all: boolean): readonly Approval[] {
  if (approvals.length === 0) throw new CommandError('nothing waits for approval in this session');
  if (all) return approvals;
  const found = callId === undefined ? approvals : approvals.filter((pending) => requestId(pending).startsWith(callId));
  if (found.length === 1) return found;
  const list = approvals
    .map((pending) => `  ${plainLine(requestId(pending))}  ${titleOf(pending.call, String)}`)
    .join('\n');
  if (found.length === 0) throw new CommandError(`no open call starts with "${callId}"; these wait:\n${list}`);
  throw new CommandError(`several calls wait; name one, or use --all:\n${list}`);
}

function findOption(pending: Approval, wanted: string, approved: boolean): string {
  const options = pending.kind === 'approval' ? (pending.call.options ?? []) : [];
  const kind = approved ? 'approve' : 'deny';
  const fitting = options.filter((option) => option.kind === kind);
  const found = fitting.find(({ id, label }) => id === wanted || label === wanted);
  if (found) return found.id;
  const known = fitting.map(({ label }) => plainLine(label)).join(', ');
  throw new CommandError(`there is no option "${wanted}"; there is: ${known || 'none'}`);
}
