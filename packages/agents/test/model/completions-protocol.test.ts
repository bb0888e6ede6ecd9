import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readingCompletions } from '../../src/model/endpoint/completions-protocol.js';

const encoder = new TextEncoder();

/** What the SDK would read of a body that comes in these chunks. */
async function read(chunks: readonly (string | Uint8Array)[]): Promise<string> {
  const waiting = [...chunks];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = waiting.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(typeof next === 'string' ? encoder.encode(next) : next);
    },
  });
  const headers = { 'content-type': 'text/event-stream' };
  const response = await readingCompletions(async () => new Response(body, { headers }))('http://model');
  return response.text();
}

const event = (delta: object, more: object = {}) => ({
  id: 'a',
  choices: [{ index: 0, finish_reason: null, ...more, delta }],
});
const line = (of: object) => `data: ${JSON.stringify(of)}\n\n`;

function eventsIn(text: string): { choices: { delta: Record<string, unknown> }[] }[] {
  return text
    .split('\n')
    .flatMap((each) => (each.startsWith('data: {') ? [JSON.parse(each.slice('data: '.length))] : []));
}

describe('a stream of chat completions', () => {
  it('has pieces of one text that come together as one', async () => {
    const said = ['Hel', 'lo ', 'you'].map((content) => line(event({ role: 'assistant', content })));
    expect(await read([...said, 'data: [DONE]\n\n'])).toBe(
      `${line(event({ role: 'assistant', content: 'Hello you' }))}data: [DONE]\n\n`,
    );
  });

  it('has everything else as it came, in order', async () => {
    const lines = [
      ': processing\n\n',
      line(event({ reasoning_content: 'hm' })),
      line(event({ content: 'a' })),
      line(event({ content: 'b' }, { logprobs: { content: [] } })),
      line(event({ content: 'c' })),
      line(event({ content: '', tool_calls: [{ index: 0, id: 'x', function: { name: 'f', arguments: '{}' } }] })),
      line(event({ content: 'd' }, { finish_reason: 'stop' })),
      line({ id: 'a', choices: [], usage: { total_tokens: 3 } }),
      'event: error\ndata: {"error":{"message":"no"}}\n\n',
      'data: {"choices": broken\n\n',
    ];
    const text = await read(lines);
    expect(eventsIn(text.replace('data: {"choices": broken', ''))).toHaveLength(8);
    const rest = text.replaceAll(',"type":"function"', '').replaceAll(/\n+/g, '\n');
    expect(rest).toBe(lines.join('').replaceAll(/\n+/g, '\n'));
  });

  it('says the same however it is cut, with any line ends', async () => {
    const piece = fc.record({
      name: fc.constantFrom('content', 'reasoning_content', 'reasoning'),
      text: fc.string({ unit: 'grapheme' }),
    });
    const end = fc.constantFrom('\n\n', '\r\n\r\n');
    const cuts = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), end, cuts, async (pieces, lineEnd, sizes) => {
        const whole = pieces
          .map(({ name, text }) => `data: ${JSON.stringify(event({ [name]: text }))}${lineEnd}`)
          .join('');
        const bytes = encoder.encode(whole);
        const chunks: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(bytes.slice(at, at + size));
          at += size;
        }
        const told = eventsIn(await read(chunks)).flatMap(({ choices }) => Object.entries(choices[0]?.delta ?? {}));
        expect(joined(told)).toEqual(joined(pieces.map(({ name, text }) => [name, text])));
      }),
    );
  });

  it('that breaks off has all that came before', async () => {
    const reader = async () => {
      let count = 0;
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) =>
          ++count > 2
            ? controller.error(new Error('cut'))
            : controller.enqueue(encoder.encode(line(event({ content: 'x' })))),
      });
      const response = await readingCompletions(async () => new Response(body))('http://model');
      return (response.body as ReadableStream<Uint8Array>).getReader();
    };
    const from = await reader();
    const { value } = await from.read();
    expect(new TextDecoder().decode(value)).toBe(line(event({ content: 'xx' })));
    await expect(from.read()).rejects.toThrow('cut');
  });
});

/** Neighbours of one name as one, without empty ones. */
function joined(pieces: readonly (readonly [string, unknown])[]): [string, string][] {
  const result: [string, string][] = [];
  for (const [name, text] of pieces) {
    const last = result.at(-1);
    if (text === '') continue;
    if (last?.[0] === name) last[1] += text;
    else result.push([name, String(text)]);
  }
  return result;
}
