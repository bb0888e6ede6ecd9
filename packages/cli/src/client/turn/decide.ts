import type { Client } from '@moorage/client';
import type { CommonOptions } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { LiveSession } from '../sessions/live-session.js';
import { titleOf } from './call-text.js';
import { type Approval, decision, type Matter, matterId, openMatters } from './matters.js';

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
    const matters = await mattersOf(client, session);
    const approvals = matters.filter((matter): matter is Approval => matter.kind !== 'question');
    const chosen = choose(approvals, callId, options.all === true);
    for (const matter of chosen) {
      const optionId = options.option === undefined ? {} : { optionId: findOption(matter, options.option, approved) };
      const reason = options.reason === undefined ? {} : { reason: options.reason };
      await matter.chat.dispatch(decision(matter, approved, { ...optionId, ...reason }));
    }
    const done = approved ? 'approved' : 'denied';
    if (options.json) printLine(jsonLine({ [done]: chosen.map(matterId) }));
    else for (const { call } of chosen) printLine(`${done} ${titleOf(call)}`);
  });
}

/** What waits for the user in all chats of a session. */
export async function mattersOf(client: Client, session: string | undefined): Promise<Matter[]> {
  const live = await LiveSession.find(client, session);
  return openMatters(await live.allChats());
}

function choose(approvals: readonly Approval[], callId: string | undefined, all: boolean): readonly Approval[] {
  if (approvals.length === 0) throw new CommandError('nothing waits for approval in this session');
  if (all) return approvals;
  const found = callId === undefined ? approvals : approvals.filter((matter) => matterId(matter).startsWith(callId));
  if (found.length === 1) return found;
  const list = approvals
    .map((matter) => `  ${plainLine(matterId(matter))}  ${titleOf(matter.call, String)}`)
    .join('\n');
  if (found.length === 0) throw new CommandError(`no open call starts with "${callId}"; these wait:\n${list}`);
  throw new CommandError(`several calls wait; name one, or use --all:\n${list}`);
}

function findOption(matter: Approval, wanted: string, approved: boolean): string {
  const options = matter.kind === 'approval' ? (matter.call.options ?? []) : [];
  const kind = approved ? 'approve' : 'deny';
  const fitting = options.filter((option) => option.kind === kind);
  const found = fitting.find(({ id, label }) => id === wanted || label === wanted);
  if (found) return found.id;
  const known = fitting.map(({ label }) => plainLine(label)).join(', ');
  throw new CommandError(`there is no option "${wanted}"; there is: ${known || 'none'}`);
}
