import type { TerminalClaim, TerminalState } from '@moorage/protocol';
import { claimKindProblem, terminalSizeProblem, terminalTitleProblem } from '../terminal-bounds.js';
import { type Rules, unless } from './verdict.js';

export const terminalRules: Rules<'terminal'> = {
  // A client that may use the terminal may type into it (B-280, OQ-85).
  'terminal/input': ({ data }, { clientId, state }) => unless(notUsable(state, clientId) ?? inputProblem(state, data)),
  // The same clients may resize it (B-281).
  'terminal/resized': ({ cols, rows }, { clientId, state }) =>
    unless(notUsable(state, clientId) ?? terminalSizeProblem({ cols, rows })),
  // A terminal cannot be taken away from its holder (B-278, OQ-84).
  'terminal/claimed': ({ claim }, { clientId, state, hasSession }) =>
    unless(claimKindProblem(claim) ?? claimProblem(state.claim, claim, clientId) ?? unknownSession(claim, hasSession)),
  // The same clients may name and clear it (B-282).
  'terminal/titleChanged': ({ title }, { clientId, state }) =>
    unless(notUsable(state, clientId) ?? terminalTitleProblem(title)),
  'terminal/cleared': (_action, { clientId, state }) => unless(notUsable(state, clientId)),
};

/** Any client may use a terminal that a session holds; one that a client holds is for that client alone (OQ-85). */
function notUsable({ claim }: TerminalState, clientId: string): string | undefined {
  if (claim.kind === 'session' || claim.clientId === clientId) return undefined;
  return `client "${claim.clientId}" holds this terminal; you can watch it`;
}

function inputProblem({ lifecycle }: TerminalState, data: string): string | undefined {
  if (lifecycle.status === 'exited') return 'the program of this terminal has ended';
  return data.length > MAX_INPUT_CHARS
    ? `input can be ${MAX_INPUT_CHARS} characters at once; send it in pieces`
    : undefined;
}

/** UTF-16 units of one input: enough for a large paste. */
const MAX_INPUT_CHARS = 1024 * 1024;

/**
 * A client may hand the terminal it holds to a session. Any client may detach a session's terminal from the tool call that
 * uses it, and take it once no call uses it. A client cannot claim for another client.
 */
function claimProblem(held: TerminalClaim, claim: TerminalClaim, clientId: string): string | undefined {
  if (claim.kind === 'client' && claim.clientId !== clientId) return 'a client can claim a terminal only for itself';
  if (held.kind === 'client') {
    return held.clientId === clientId ? undefined : `client "${held.clientId}" holds this terminal`;
  }
  const inUse = held.turnId !== undefined || held.toolCallId !== undefined;
  if (claim.kind === 'client') {
    return inUse ? 'a tool call uses this terminal; detach it first by narrowing the claim to its session' : undefined;
  }
  const narrows = claim.session === held.session && claim.turnId === undefined && claim.toolCallId === undefined;
  return narrows ? undefined : 'the claim of a session can be narrowed to that session, or taken once no call uses it';
}

function unknownSession(claim: TerminalClaim, hasSession: (uri: string) => boolean): string | undefined {
  if (claim.kind === 'client' || hasSession(claim.session)) return undefined;
  return `there is no session ${claim.session}`;
}
