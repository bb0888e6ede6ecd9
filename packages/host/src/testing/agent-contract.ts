import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentChat, AgentFileError, type AgentProvider, type AgentTree } from '../ports/index.js';
import { RecordingTurn } from './recording-turn.js';

/** The agent under test, with messages to which its reaction is known. */
export interface AgentUnderTest {
  readonly provider: AgentProvider;
  /** The agent's answer to the message contains `answer`. */
  readonly brief: { readonly message: string; readonly answer: string };
  /** The agent's output to the message contains `start`, and the turn then runs until it is cancelled. */
  readonly endless: { readonly message: string; readonly start: string };
  cleanup?(): void | Promise<void>;
}

/** The contract of AgentProvider, as a vitest suite. */
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
    const openChat = () =>
      tested.provider.openChat({
        session: `ahp-session:/${++chats}`,
        chat: `ahp-chat:/${chats}`,
        workingDirectory: folder,
        config: {},
        history: [],
        mcpServers: [],
        files: NO_FILES,
        host: {
          ...{ saveResumeState: () => {}, saveSessionState: () => {}, setTitle: () => {}, setConfig: () => {} },
          ...{ setCommands: () => {}, say: () => {}, died: () => {} },
        },
      });
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

const noFiles = () => Promise.reject(new AgentFileError('outsideFolder', 'There are no files here.'));

const NO_FILES: AgentTree = {
  ...{ read: noFiles, write: noFiles, delete: noFiles, rename: noFiles },
  ...{ locateFolder: noFiles, list: noFiles, find: noFiles },
};
