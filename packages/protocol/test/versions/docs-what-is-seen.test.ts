import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ChatState, SessionState } from '../../src/index.js';
import { type Directory, dialectOf } from '../../src/versions/index.js';

/** Rows of "What each version cannot show" whose subject is a member of the state of a session or a chat. */
const SESSION = 'ahp-session:/one';
const CHAT = 'ahp-chat:/one';
const MARK = 'seen-or-not';
const TIME = '2026-01-01T00:00:00.000Z';

interface Probe {
  /** How the row begins. */
  readonly row: string;
  readonly session?: Partial<SessionState>;
  readonly chat?: Partial<ChatState>;
  /** What a client that sees it finds in a snapshot. */
  readonly mark?: string;
}

const message = { text: 'hello', origin: { kind: 'user' as const } };
const turn = { id: 'turn', message, responseParts: [], state: 'complete' as const, usage: undefined };
const chats = [{ resource: CHAT, title: '', status: 1, modifiedAt: TIME }];

const PROBES: readonly Probe[] = [
  {
    row: 'chats of a session in lists',
    chat: { backgroundWork: [{ id: MARK, kind: 'shell', command: 'x' }] as never },
  },
  { row: 'when turns began', chat: { turns: [{ ...turn, startedAt: TIME, duration: 424_242 }] }, mark: '424242' },
  {
    row: 'what is waited for, without',
    session: { inputNeeded: [{ id: MARK, kind: 'chatInput', chat: CHAT, request: { id: 'r' } }] as never },
  },
  { row: 'the end of a long history first', chat: { turnsNextCursor: MARK } },
  { row: 'drafts, the activity of a chat', chat: { draft: { ...message, text: MARK } } },
  {
    row: 'several active clients',
    session: { activeClients: [MARK, 'last'].map((clientId) => ({ clientId, tools: [] })) },
  },
  {
    row: 'further chats, their titles',
    session: { chats: [...chats, { resource: 'ahp-chat:/two', title: MARK, status: 1, modifiedAt: TIME }] },
  },
  {
    row: 'questions that were answered',
    chat: {
      turns: [
        { ...turn, responseParts: [{ kind: 'inputRequest', request: { id: 'r', message: MARK }, response: 'accept' }] },
      ] as never,
    },
  },
];

const page = readFileSync(new URL('../../../../docs/PROTOCOL.md', import.meta.url), 'utf8');
const table = page
  .slice(page.indexOf('### What each version cannot show'))
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const columns = table[0]?.slice(1) ?? [];

describe.each(PROBES)('docs/PROTOCOL.md on "$row"', ({ row, mark = MARK, session, chat }) => {
  const cells = table.find(([first = '']) => first.startsWith(row))?.slice(1);

  it.each(columns.map((name, index) => ({ name, index })))('says what a client of $name sees', ({ name, index }) => {
    const said = cells?.[index];
    expect(said).toBeDefined();
    for (const version of name.split(', ')) {
      const isSeen = shownIn(version, session, chat).includes(mark);
      if (said === 'yes') expect([version, isSeen]).toEqual([version, true]);
      if (said === '-') expect([version, isSeen]).toEqual([version, false]);
    }
  });
});

/** All that a client of a version finds in the snapshots of a session and its chat. */
function shownIn(version: string, sessionPart: Partial<SessionState> = {}, chatPart: Partial<ChatState> = {}): string {
  const { down } = dialectOf(version === 'v1' ? 1 : `${version}.0`.split('.').slice(0, 3).join('.')) ?? {};
  if (!down) throw new Error(`there is no dialect of ${version}`);
  const session = {
    provider: 'demo',
    title: 'Session',
    status: 1,
    activeClients: [],
    lifecycle: 'ready',
    chats,
    defaultChat: CHAT,
    ...sessionPart,
  } as SessionState;
  const chat = { resource: CHAT, title: '', status: 1, modifiedAt: TIME, turns: [], ...chatPart } as ChatState;
  const owner = { uri: SESSION, state: session };
  const directory = {
    defaultDirectory: undefined,
    now: () => 0,
    resolve: (uri) => uri,
    providerOf: () => 'demo',
    session: () => session,
    chat: () => chat,
    sessionOfChat: () => owner,
  } satisfies Directory;
  const ofSession = down.state({ kind: 'session', ...owner, ...(down.mergesChats && { chat }) }, directory);
  const ofChat = down.mergesChats
    ? {}
    : down.state({ kind: 'chat', uri: CHAT, state: chat, session: owner }, directory);
  return JSON.stringify([ofSession, ofChat]);
}
