import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatInputAnswer } from '@moorage/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, ISOLATIONS, makeFolder, openRig, type Rig, removeFolder } from './support/rig.js';

describe.each(ISOLATIONS)('steps that change no files, isolation %s', (isolation) => {
  const folder = makeFolder();
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig({ isolation, folder });
  });
  beforeEach(() => emptyFolder(folder));
  afterAll(async () => {
    await rig.provider.dispose();
    removeFolder(folder);
  });

  it('explains the steps, with an example, when there are none', async () => {
    const { turn, outcome } = await rig.run('hello');
    expect(outcome).toEqual({ kind: 'complete' });
    expect(turn.text).toContain('/write hello.txt');
    expect(turn.text).toContain('`/auto on|off`');
    expect(turn.events.length).toBeGreaterThan(1);
  });

  it('says and thinks in a few deltas, each text a paragraph of its own', async () => {
    const { turn, outcome } = await rig.run('/think let me see now\n/say one two three four\nfive\n/say six');
    expect(outcome).toEqual({ kind: 'complete' });
    expect(turn.reasoning).toBe('let me see now');
    expect(turn.text).toBe('one two three four\n\nfive\n\nsix');
    expect(turn.events.length).toBeGreaterThan(5);
    expect(turn.kinds).toEqual(['reasoning', 'text']);
  });

  it('goes on in the same part after usage, and starts afresh after a tool call', async () => {
    const { turn } = await rig.run('/say a\n/usage 1 2\n/say b\n/read x\n/say c');
    const texts = turn.events.flatMap((event) => (event.kind === 'text' ? [event.text] : []));
    expect(texts).toEqual(['a', '\n\nb', 'c']);
  });

  it('streams so many words', async () => {
    const { turn } = await rig.run('/stream 100');
    expect(turn.events).toHaveLength(100);
    expect(turn.text.split(' ')).toHaveLength(100);
  });

  it('says what is wrong with a line and goes on', async () => {
    const { turn, outcome } = await rig.run('/wait soon\n/jump\n/say done');
    expect(outcome).toEqual({ kind: 'complete' });
    expect(turn.text).toContain('I cannot run `/wait soon`: MS must be a whole number of milliseconds');
    expect(turn.text).toContain('Usage: `/wait MS`');
    expect(turn.text).toContain('there is no step `/jump`');
    expect(turn.text).toContain('\n\ndone');
  });

  it('sets the title and reports tokens', async () => {
    const { turn } = await rig.run('/title A new name\n/usage 12 34');
    expect(rig.titles).toEqual(['A new name']);
    expect(turn.events).toEqual([{ kind: 'usage', usage: { inputTokens: 12, outputTokens: 34, model: 'script' } }]);
  });

  it('waits', async () => {
    const { outcome } = await rig.run('/wait 1');
    expect(outcome).toEqual({ kind: 'complete' });
  });

  it('fails when it is told to, and does nothing after it', async () => {
    const { turn, outcome } = await rig.run('/say before\n/fail out of luck\n/say after');
    expect(outcome).toEqual({ kind: 'error', error: { errorType: 'scriptFailed', message: 'out of luck' } });
    expect(turn.text).toBe('before');
  });

  it('dies when it is told to, and is there again for the next prompt', async () => {
    const { turn, outcome } = await rig.run('/say before\n/crash\n/say after');
    expect(outcome).toMatchObject({ kind: 'error', error: { errorType: 'agentExited' } });
    expect(turn.text).toBe('before');
    expect((await rig.run('/say again')).turn.text).toBe('again');
    expect(rig.deaths).toEqual([]);
  });

  it('reads a file without asking', async () => {
    writeFileSync(join(folder, 'a.txt'), 'héllo\r\nyou\n');
    const { turn } = await rig.run('/read a.txt');
    expect(turn.confirmations).toEqual([]);
    expect(turn.kinds).toEqual(['toolCallStart', 'toolCallRunning', 'toolCallDone']);
    expect(turn.results).toEqual([
      { success: true, pastTenseMessage: 'Read a.txt', content: [{ type: 'text', text: 'héllo\r\nyou\n' }] },
    ]);
  });

  describe('tools of MCP servers', () => {
    const done = (success: boolean, message?: string) => ({
      callMcpTool: () => ({
        kind: 'done' as const,
        result: { success, pastTenseMessage: 'Called', ...(message && { error: { message } }) },
      }),
    });

    it('are called by the host, which shows the call', async () => {
      const { turn, outcome } = await rig.run('/mcp files list {"a":1}\n/say on', done(true));
      expect(outcome).toEqual({ kind: 'complete' });
      const call = {
        toolCallId: `${turn.turnId}-1`,
        server: 'files',
        name: 'list',
        input: '{"a":1}',
        isAllowed: false,
      };
      expect(turn.mcpCalls).toEqual([call]);
      expect(turn.text).toBe('on');
    });

    it('are allowed without asking in auto mode', async () => {
      const { turn } = await rig.run('/auto on\n/mcp files list {}\n/auto off', done(true));
      expect(turn.mcpCalls).toMatchObject([{ isAllowed: true }]);
    });

    it('that fail or are denied are said so', async () => {
      const { turn } = await rig.run('/mcp files list {}', done(false, 'no such folder'));
      expect(turn.text).toContain('The tool list of files failed: no such folder');
      const denied = await rig.run('/mcp files list {}', {
        callMcpTool: () => ({ kind: 'denied', decision: { approved: false, reason: 'denied' } }),
      });
      expect(denied.turn.text).toContain('Skipped: Call list of files (denied).');
    });
  });

  describe('commands', () => {
    const exits = (exitCode: number, output = '') => ({
      terminal: () => ({ output, outcome: { kind: 'exited' as const, exitCode } }),
    });

    it('run in a terminal once the user agrees; the call shows it and ends with what was written', async () => {
      const { turn } = await rig.run('/run npm test', exits(0, '\x1b[32mok\x1b[0m\r\n10%\r100%\r\n'));
      const id = `${turn.turnId}-1`;
      expect(turn.confirmations).toMatchObject([{ toolCallId: id, title: 'Run npm test?', editable: true }]);
      expect(turn.commands).toEqual([{ toolCallId: id, command: 'npm test', title: 'Run npm test' }]);
      const shown = { type: 'terminal', resource: 'ahp-terminal:/1', title: 'Run npm test' };
      expect(turn.events).toContainEqual({ kind: 'toolCallContent', toolCallId: id, content: [shown] });
      expect(turn.results).toEqual([
        { success: true, pastTenseMessage: 'Ran npm test', content: [shown, { type: 'text', text: 'ok\n100%\n' }] },
      ]);
      expect(turn.released).toEqual(['ahp-terminal:/1']);
    });

    it('that fail, are closed, or are left to the background say so', async () => {
      const failed = await rig.run('/run false', exits(3));
      expect(failed.turn.results).toMatchObject([{ success: false, error: { code: 'exitCode' } }]);
      expect(failed.turn.results[0]?.error?.message).toContain('exit code 3');
      for (const kind of ['disposed', 'detached'] as const) {
        const { turn } = await rig.run('/run x', { terminal: () => ({ output: '', outcome: { kind } }) });
        expect(turn.results).toMatchObject([{ success: kind === 'detached' }]);
      }
      const none = await rig.run('/run x\n/say on');
      expect(none.turn.results).toMatchObject([{ success: false, error: { code: 'terminalFailed' } }]);
      expect(none.turn.text).toBe('on');
    });

    it('run as the user has edited them, and not at all when denied or edited to nonsense', async () => {
      const edited = await rig.run('/run rm x', {
        ...exits(0),
        decide: () => ({ approved: true, toolInput: '{"command":"ls x"}' }),
      });
      expect(edited.turn.commands).toMatchObject([{ command: 'ls x' }]);
      expect(edited.turn.results).toMatchObject([{ pastTenseMessage: 'Ran ls x' }]);
      const nonsense = await rig.run('/run rm x', {
        ...exits(0),
        decide: () => ({ approved: true, toolInput: '{"cmd":1}' }),
      });
      expect(nonsense.turn.commands).toEqual([]);
      expect(nonsense.turn.results).toMatchObject([{ success: false, error: { code: 'badInput' } }]);
      const denied = await rig.run('/run rm x', {
        ...exits(0),
        decide: () => ({ approved: false, reason: 'denied' }),
      });
      expect(denied.turn.commands).toEqual([]);
      expect(denied.turn.text).toContain('Skipped: Run rm x');
    });

    it('stop with the turn', async () => {
      const { turn, outcome } = rig.start('/run sleep 100\n/say never', {
        terminal: () => ({ output: '', outcome: 'never' }),
      });
      await turn.until(() => turn.commands.length === 1);
      turn.cancel();
      expect(await outcome).toEqual({ kind: 'cancelled' });
      expect(turn.text).toBe('');
    });
  });

  describe('questions', () => {
    const answered = async (line: string, answer: ChatInputAnswer | undefined) => {
      const answers = answer ? { answer } : {};
      const { turn } = await rig.run(line, { answer: () => ({ response: 'accept', answers }) });
      return { said: turn.text, request: turn.questions[0], id: turn.turnId };
    };

    it('offers options to select one', async () => {
      const { said, request, id } = await answered('/ask Which? | red | blue', {
        state: 'submitted',
        value: { kind: 'selected', value: 'blue' },
      });
      expect(request).toEqual({
        id: `${id}-1`,
        message: 'Which?',
        questions: [
          {
            id: 'answer',
            kind: 'single-select',
            message: 'Which?',
            required: true,
            options: [
              { id: 'red', label: 'red' },
              { id: 'blue', label: 'blue' },
            ],
          },
        ],
      });
      expect(said).toBe('You answered: blue');
    });

    it('asks for text without options', async () => {
      const { said, request } = await answered('/ask Your name?', {
        state: 'submitted',
        value: { kind: 'text', value: 'Ada' },
      });
      expect(request?.questions).toEqual([{ id: 'answer', kind: 'text', message: 'Your name?', required: true }]);
      expect(said).toBe('You answered: Ada');
    });

    it.each<[string, ChatInputAnswer | undefined]>([
      ['You gave no answer.', undefined],
      ['You gave no answer.', { state: 'skipped' }],
      ['You answered: rather not', { state: 'skipped', freeformValues: ['rather not'] }],
      ['You answered: 7', { state: 'submitted', value: { kind: 'number', value: 7 } }],
      ['You answered: true', { state: 'submitted', value: { kind: 'boolean', value: true } }],
      ['You answered: a, b', { state: 'submitted', value: { kind: 'selected-many', value: ['a', 'b'] } }],
      ['You answered: mine', { state: 'submitted', value: { kind: 'selected', value: '', freeformValues: ['mine'] } }],
    ])('says back: %s', async (said, answer) => {
      expect((await answered('/ask Q | a | b', answer)).said).toBe(said);
    });

    it('accepts no answer at all', async () => {
      expect((await rig.run('/ask Q', { answer: () => ({ response: 'decline' }) })).turn.text).toContain('declined');
      expect((await rig.run('/ask Q', { answer: () => ({ response: 'cancel' }) })).turn.text).toContain('cancelled');
    });
  });

  describe('sub-agents', () => {
    const chat = 'ahp-chat:/sub';

    it('gives the message to a new chat and shows what it said', async () => {
      const { turn } = await rig.run('/spawn /say hi\\n/say ho', {
        spawn: () => ({ chat, outcome: { kind: 'complete' }, text: 'hi ho' }),
      });
      expect(turn.spawned).toEqual([{ toolCallId: `${turn.turnId}-1`, title: '/say hi', message: '/say hi\n/say ho' }]);
      expect(turn.results).toEqual([
        {
          success: true,
          pastTenseMessage: 'Asked a sub-agent: /say hi',
          content: [
            { type: 'subagent', resource: chat, title: '/say hi' },
            { type: 'text', text: 'hi ho' },
          ],
        },
      ]);
    });

    it.each([
      ['was cancelled', { chat, outcome: { kind: 'cancelled' }, text: '' } as const],
      [
        'no luck',
        { chat, outcome: { kind: 'error', error: { errorType: 'x', message: 'no luck' } }, text: '' } as const,
      ],
      ['too many chats', new Error('too many chats')],
    ])('goes on when the sub-agent fails: %s', async (message, spawned) => {
      const { turn, outcome } = await rig.run('/spawn /fail x\n/say on', { spawn: () => spawned });
      expect(outcome).toEqual({ kind: 'complete' });
      expect(turn.results[0]?.success).toBe(false);
      expect(turn.results[0]?.error?.message).toContain(message);
      expect(turn.text).toBe('on');
    });
  });

  describe('tools of the active client', () => {
    const clientTools = [{ name: 'open_file' }, { name: 'ring' }];

    it('calls one, and leaves the call to the host', async () => {
      const calls: unknown[] = [];
      const { turn } = await rig.run('/tool ring {"times": 2}', {
        clientTools,
        callClientTool: (call) => {
          calls.push(call);
          return { success: true, pastTenseMessage: 'Rang' };
        },
      });
      expect(calls).toEqual([{ toolCallId: `${turn.turnId}-1`, name: 'ring', input: '{"times": 2}' }]);
      expect(turn.events).toEqual([]);
    });

    it('says so when the client fails', async () => {
      const { turn, outcome } = await rig.run('/tool ring\n/say on', {
        clientTools,
        callClientTool: () => ({ success: false, pastTenseMessage: 'Failed', error: { message: 'no bell' } }),
      });
      expect(outcome).toEqual({ kind: 'complete' });
      expect(turn.text).toBe('The tool ring failed: no bell\n\non');
    });

    it.each([
      ['names those there are', clientTools, 'It offers open_file, ring.'],
      ['says that there are none', [], 'It offers no tools, or there is none.'],
    ])('%s when it does not know the tool', async (_, tools, message) => {
      const { turn, outcome } = await rig.run('/tool sing {}', { clientTools: tools });
      expect(outcome).toEqual({ kind: 'complete' });
      expect(turn.results[0]).toMatchObject({ success: false, error: { code: 'noSuchTool' } });
      expect(turn.results[0]?.error?.message).toContain(message);
    });
  });

  it('takes steering between steps and runs it next', async () => {
    const { turn } = await rig.run('/say one\n/say two', { steering: ['/say between\n/say still', 'plain'] });
    expect(turn.text.split('\n\n')).toEqual(['one', 'between', 'plain', 'still', 'two']);
  });

  it('takes steering after the last step too', async () => {
    const { turn } = await rig.run('/say only', { steering: ['/say more'] });
    expect(turn.text).toBe('only\n\nmore');
  });
});
