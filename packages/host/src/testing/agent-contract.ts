import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatInputAnswer, ChatInputRequest } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AgentChat,
  type AgentChatOptions,
  AgentFileError,
  type AgentProvider,
  type AgentTree,
  type InputOutcome,
} from '../ports/index.js';
import { RecordingTurn, type TurnScript } from './recording-turn.js';

/** The agent under test, with messages to which its reaction is known. */
export interface AgentUnderTest {
  /** The agent under test; each test gets a new one. */
  readonly provider: AgentProvider;
  /** The agent's answer to the message contains `answer`. */
  readonly brief: { readonly message: string; readonly answer: string };
  /** The agent's output to the message contains `start`, and the turn then runs until it is cancelled. */
  readonly endless: { readonly message: string; readonly start: string };
  /** The agent asks for leave with `confirm`; its text, or the result of its call, then contains `approved` or `denied`. */
  readonly confirms?: { readonly message: string; readonly approved: string; readonly denied: string };
  /** The agent asks one text question; answered with `reply`, its text contains `answer`. */
  readonly asks?: { readonly message: string; readonly reply: string; readonly answer: string };
  /** The agent spawns a chat; when that ends with `text`, its own text, or the result of its call, contains `answer`. */
  readonly spawns?: { readonly message: string; readonly text: string; readonly answer: string };
  /** Called after each test. */
  cleanup?(): void | Promise<void>;
}

/** The contract of AgentProvider, as a vitest suite. What an agent has no message for is skipped, and the suite says so. */
export function describeAgent(name: string, make: () => AgentUnderTest | Promise<AgentUnderTest>): void {
  describe(`${name} is an AgentProvider`, () => {
    let folder: string;
    let tested: AgentUnderTest;
    let chat: AgentChat;
    beforeEach(async () => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-agent-test-')));
      tested = await make();
      chat = await openChat();
    });
    afterEach(async () => {
      await tested.provider.dispose();
      await tested.cleanup?.();
      rmSync(folder, { recursive: true, force: true });
    });

    let chats = 0;
    let saved: Pick<AgentChatOptions, 'resumeState' | 'sessionState'>;
    /** A new chat, or the last one again, with what it had saved. */
    const openChat = (reopened?: typeof saved) => {
      saved = { ...reopened };
      if (!reopened) chats++;
      return tested.provider.openChat({
        ...reopened,
        session: `ahp-session:/${chats}`,
        chat: `ahp-chat:/${chats}`,
        workingDirectory: folder,
        config: {},
        history: [],
        mcpServers: [],
        files: NO_FILES,
        host: {
          saveResumeState: (resumeState) => {
            saved = { ...saved, resumeState };
          },
          saveSessionState: (sessionState) => {
            saved = { ...saved, sessionState };
          },
          ...{ setTitle: () => {}, setConfig: () => {}, setCommands: () => {}, say: () => true, died: () => {} },
        },
      });
    };
    const expectAnswer = async (from = chat) => {
      const turn = new RecordingTurn(tested.brief.message);
      expect(await from.prompt(turn)).toEqual({ kind: 'complete' });
      expect(turn.text).toContain(tested.brief.answer);
      expect(turn.openCalls).toEqual([]);
      return turn;
    };
    const begin = async () => {
      const turn = new RecordingTurn(tested.endless.message);
      const outcome = chat.prompt(turn);
      await expect.poll(() => turn.text, { timeout: 30_000, interval: 5 }).toContain(tested.endless.start);
      return { turn, outcome };
    };

    it('describes itself, and answers turn after turn in each of its chats', async () => {
      expect(tested.provider.info.provider).toMatch(/^[\w.-]+$/);
      expect(tested.provider.info.displayName).not.toBe('');
      const first = await expectAnswer();
      const said = first.events.length;
      await expectAnswer();
      await expectAnswer(await openChat());
      expect(first.events, 'nothing is added to a turn that is over').toHaveLength(said);
    });

    it('stops when cancelled, emits nothing more, and takes the next message', async () => {
      const { turn, outcome } = await begin();
      turn.cancel();
      expect(await outcome).toEqual({ kind: 'cancelled' });
      const said = turn.events.length;
      await expectAnswer();
      expect(turn.events).toHaveLength(said);
      const never = new RecordingTurn(tested.brief.message);
      never.cancel();
      expect(await chat.prompt(never), 'cancelled before it began').toEqual({ kind: 'cancelled' });
    });

    it('continues after a rewind', async () => {
      await expectAnswer();
      await chat.rewind([]);
      await expectAnswer();
    });

    const run = async (message: string, script: TurnScript = {}, from = chat) => {
      const turn = new RecordingTurn(message, script);
      expect(await from.prompt(turn)).toEqual({ kind: 'complete' });
      expect(turn.openCalls).toEqual([]);
      return turn;
    };
    /** Runs until the agent waits for the user. */
    const waitForUser = async (message: string) => {
      const turn = new RecordingTurn(message, { confirm: () => NEVER, ask: () => NEVER });
      const outcome = chat.prompt(turn);
      const asked = () => turn.confirmations.length + turn.questions.length;
      await expect.poll(asked, { timeout: 30_000, interval: 5 }).toBeGreaterThan(0);
      return { turn, outcome };
    };

    it('asks before it acts, and does only what it may', async ({ skip }) => {
      const { confirms } = tested;
      if (!confirms) return skip('no message for it');
      const allowed = await run(confirms.message);
      expect(allowed.confirmations.length).toBeGreaterThan(0);
      expect(allowed.said).toContain(confirms.approved);
      const denied = await run(confirms.message, { confirm: () => ({ approved: false, reason: 'denied' }) });
      expect(denied.said).toContain(confirms.denied);
      expect(denied.said).not.toContain(confirms.approved);
    });

    it('asks the user, and goes on with the answer, or without', async ({ skip }) => {
      const { asks } = tested;
      if (!asks) return skip('no message for it');
      const turn = await run(asks.message, { ask: ({ questions }) => replyTo(questions, asks.reply) });
      expect(turn.text).toContain(asks.answer);
      const declined = await run(asks.message, { ask: () => ({ response: 'decline' }) });
      expect(declined.text).not.toContain(asks.answer);
    });

    it('stops when it is cancelled while it waits for the user', async ({ skip }) => {
      const waits = tested.confirms ?? tested.asks;
      if (!waits) return skip('no message for it');
      const { turn, outcome } = await waitForUser(waits.message);
      turn.cancel();
      expect(await outcome).toEqual({ kind: 'cancelled' });
      await expectAnswer();
    });

    it('asks again under the same ids when its turn is resumed', async ({ skip }) => {
      const waits = tested.confirms ?? tested.asks;
      if (!waits || !tested.provider.resumesTurns)
        return skip('it does not resume turns, or there is no message for it');
      const { turn, outcome } = await waitForUser(waits.message);
      const left = { ...saved }; // what is stored when the host stops now
      turn.cancel();
      await outcome;
      await chat.dispose();
      const again = await run(waits.message, { resumes: turn.turnId }, await openChat(left));
      expect(idsOf(again)).toEqual(idsOf(turn));
    });

    it('spawns a chat and uses what it said', async ({ skip }) => {
      const { spawns } = tested;
      if (!spawns) return skip('no message for it');
      const other = { chat: 'ahp-chat:/spawned', outcome: { kind: 'complete' as const }, text: spawns.text };
      const turn = await run(spawns.message, { spawn: () => other });
      expect(turn.spawned).toHaveLength(1);
      expect(turn.said).toContain(spawns.answer);
    });

    it('disposes of a chat whose turn was just cancelled, and of everything, more than once', async () => {
      const { turn, outcome } = await begin();
      turn.cancel();
      await chat.dispose();
      expect((await outcome).kind).not.toBe('complete');
      await expectAnswer(await openChat());
      await tested.provider.dispose();
      await tested.provider.dispose();
    });
  });
}

const NEVER = new Promise<never>(() => {});

function idsOf({ confirmations, questions }: RecordingTurn): string[] {
  return [...confirmations.map(({ toolCallId }) => toolCallId), ...questions.map(({ id }) => id)];
}

function replyTo(questions: ChatInputRequest['questions'], value: string): InputOutcome {
  const answer: ChatInputAnswer = { state: 'submitted', value: { kind: 'text', value } };
  return { response: 'accept', answers: Object.fromEntries((questions ?? []).map(({ id }) => [id, answer])) };
}

const noFiles = () => Promise.reject(new AgentFileError('outsideFolder', 'There are no files here.'));

const NO_FILES: AgentTree = {
  ...{ read: noFiles, write: noFiles, delete: noFiles, rename: noFiles },
  ...{ locateFolder: noFiles, list: noFiles, find: noFiles },
};
