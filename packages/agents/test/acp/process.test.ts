import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { messageStream } from '../../src/acp/connection/messages.js';
import { agentEnvironment } from '../../src/acp/process/environment.js';
import { redactor } from '../../src/acp/process/redact.js';

describe('the environment of an agent', () => {
  it('has what programs need, what is configured and what is passed on, and no more', () => {
    const host = {
      PATH: '/bin',
      HOME: '/home/me',
      LC_ALL: 'C',
      AWS_SECRET_ACCESS_KEY: 's',
      OPENAI_API_KEY: 'k',
      A: undefined,
    };
    const env = agentEnvironment(host, {
      env: { HOME: '/agent', TMPDIR: '/x' },
      passEnv: ['OPENAI_API_KEY'],
      temporaryFolder: '/t',
    });
    expect(env).toEqual({
      ...{ TERM: 'dumb', NO_COLOR: '1', PATH: '/bin', LC_ALL: 'C', HOME: '/agent', OPENAI_API_KEY: 'k' },
      ...{ TMPDIR: '/t', TMP: '/t', TEMP: '/t' },
    });
  });
});

describe('what an agent writes', () => {
  const redact = redactor({ MY_API_KEY: 'open-sesame', HOME: '/home/me' });
  it.each([
    ['key open-sesame in /home/me', 'key [secret] in /home/me'],
    ['Authorization: Bearer abcdefgh12345', 'Authorization: Bearer [secret]'],
    ['using sk-ant-REDACTED now', 'using [secret] now'],
    ['{"api_key": "qwertz1234"}', '{"api_key": "[secret]"}'],
    ['https://me:hunter22@example.com/', 'https://me:[secret]@example.com/'],
    ['nothing to hide', 'nothing to hide'],
  ])('%s', (text, shown) => {
    expect(redact(text)).toBe(shown);
  });
});

describe('the messages of an agent', () => {
  it('come in order, updates before the answer that follows them, and nonsense is dropped', async () => {
    const output = new PassThrough();
    const input = new PassThrough();
    const seen: unknown[] = [];
    const stream = messageStream(output, input, (params) => void seen.push(params));
    const writer = stream.writable.getWriter();
    await writer.write({ jsonrpc: '2.0', id: 1, method: 'session/prompt', params: {} });
    const say = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
    const lines = [
      'Welcome to the agent!',
      '[1]',
      say({ method: 'session/update', params: 'first' }),
      say({ id: 9, result: 'nobody asked' }),
      say({ method: 'session/update', params: 'second' }),
      say({ method: 'other/notification' }),
      say({ id: 1, result: 'done' }),
      say({ id: 1, result: 'again' }),
      say({ id: 'x', method: 'fs/read_text_file', params: {} }),
    ];
    // In pieces that have nothing to do with lines.
    for (const piece of lines.join('\n').match(/[\s\S]{1,7}/g) ?? []) output.write(piece);
    output.end('\n');
    const reader = stream.readable.getReader();
    expect((await reader.read()).value).toMatchObject({ id: 1, result: 'done' });
    expect(seen).toEqual(['first', 'second']);
    expect((await reader.read()).value).toMatchObject({ id: 'x' });
    expect((await reader.read()).done).toBe(true);
  });
});
