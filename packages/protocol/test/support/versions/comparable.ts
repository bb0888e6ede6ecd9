import type { ChannelKind } from '../../../src/index.js';
import type { DialectName } from '../../../src/versions/index.js';
import { CHAT_VERSIONS, rulesOf } from './rules.js';
import { IS_ARCHIVED, IS_READ, list, object, type Wire } from './wire.js';

type Plain = Record<string, unknown>;

/** What replicas of a version must agree on: not what no action of that version carries. docs/PROTOCOL.md lists it. */
export function comparableLegacy(dialect: DialectName, kind: ChannelKind, state: object): unknown {
  const plain: Plain = JSON.parse(JSON.stringify(state));
  if (dialect === '1.0') return plain;
  const version = CHAT_VERSIONS.find((each) => each === dialect);
  if (version === undefined) return kind === 'session' ? comparableMerged(plain) : plain;
  const rules = rulesOf(version);
  const known = rules.hasDirectories ? plain : withoutRefinements(plain);
  if (kind === 'chat') return comparableChat(version, known);
  return kind === 'session' ? comparableSession(version, known) : known;
}

function comparableChat(version: (typeof CHAT_VERSIONS)[number], chat: Plain): unknown {
  const rules = rulesOf(version);
  if (!rules.hasInputParts) delete chat.modifiedAt; // set by the client's own clock
  if (!rules.hasDirectories) delete chat.workingDirectory;
  if (!rules.isFlat) for (const name of ['model', 'agent']) delete chat[name];
  chat.status = Number(chat.status) & ~(IS_READ | IS_ARCHIVED);
  if (rules.recordsAnswers && !rules.hasInputParts) return withAnswersLast(chat);
  return chat;
}

function comparableSession(version: (typeof CHAT_VERSIONS)[number], session: Plain): unknown {
  const rules = rulesOf(version);
  const summary = (rules.isFlat ? session : session.summary) as Plain;
  if (!rules.hasDirectories) delete summary.workingDirectory;
  if (!rules.isFlat) {
    delete summary.modifiedAt;
    if (session.defaultChat === undefined) for (const name of ['model', 'agent']) delete summary[name];
  }
  // What other versions count as waiting for the user differs; lists say what the session is at.
  if (!rules.hasErrorParts) summary.status = Number(summary.status) & ~31;
  const chats = list(session.chats).map(({ workingDirectory, ...chat }) => chat as Wire);
  session.chats = chats.toSorted((a, b) => (String(a.resource) < String(b.resource) ? -1 : 1));
  return session;
}

/** A session with its conversation. `_meta` of a call after its start was ignored by all reducers before 0.4. */
function comparableMerged(session: Plain): unknown {
  const summary = session.summary as Plain;
  for (const name of ['modifiedAt', 'changes', 'annotations', 'workingDirectory']) delete summary[name];
  summary.status = Number(summary.status) & 127;
  withoutRefinements(session);
  forEachCall(session, (call) => {
    delete call._meta;
    delete call.toolClientId;
  });
  return session;
}

function sortedMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Before 0.7 nobody learns what is found out about a call later, and nothing can be appended without any text. */
function withoutRefinements(state: Plain): Plain {
  forEachCall(state, (call) => {
    for (const name of ['contributor', 'intention']) delete call[name];
    if (!call.partialInput) delete call.partialInput;
  });
  return state;
}

/** Visits the tool calls in a state. Not as a reviver of JSON.parse, which takes most of the time of the tests that compare. */
function forEachCall(value: unknown, visit: (call: Plain) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    forEachCall(member, visit);
    if (key === 'toolCall' && typeof member === 'object' && member !== null) visit(member as Plain);
  }
}

/** 0.5.2 puts an answered question at the end of the turn, where it was answered and not where it was asked. */
function withAnswersLast(chat: Plain): Plain {
  const sorted = (turn: Wire) => {
    const parts = list(turn.responseParts);
    const isAnswer = ({ kind }: Wire) => kind === 'inputRequest';
    const answers = parts.filter(isAnswer).map((part) => JSON.stringify(part, sortedMembers));
    return { ...turn, responseParts: parts.filter((part) => !isAnswer(part)), answers: answers.toSorted() };
  };
  const activeTurn = chat.activeTurn === undefined ? {} : { activeTurn: sorted(object(chat.activeTurn)) };
  return { ...chat, turns: list(chat.turns).map(sorted), ...activeTurn };
}
