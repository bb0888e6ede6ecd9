import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineTransport } from '../../src/demo/process/line-transport.js';

function open() {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = lineTransport(input, output);
  const heard: string[] = [];
  const closes: unknown[] = [];
  transport.onMessage((text) => void heard.push(text));
  transport.onClose((info) => void closes.push(info));
  return { input, output, transport, heard, closes };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('lines over a pipe', () => {
  it('arrive whole, however the bytes are cut', async () => {
    const texts = fc.array(
      fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 7 }), async (sent, size) => {
        const { input, heard, closes } = open();
        const bytes = Buffer.from(sent.map((text) => `${text}\n`).join(''));
        for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size));
        input.end();
        while (closes.length === 0) await settled();
        expect(heard).toEqual(sent);
      }),
    );
  });

  it('close once, whatever ends first, and say nothing after it', async () => {
    const { input, output, transport, heard, closes } = open();
    output.destroy(new Error('broken pipe'));
    await settled();
    input.write('"late"\n');
    input.destroy(new Error('broken too'));
    await settled();
    expect(closes).toEqual([{}]);
    expect(heard).toEqual([]);
    transport.send('"nobody hears"');
    transport.close();
    const late: unknown[] = [];
    transport.onClose((info) => void late.push(info));
    await settled();
    expect(late).toEqual([{}]);
  });

  it('end the output when they are closed', async () => {
    const { output, transport, closes } = open();
    transport.send('"last"');
    transport.close(1000, 'done');
    expect(closes).toEqual([{ code: 1000, reason: 'done' }]);
    expect(output.read()?.toString()).toBe('"last"\n');
    await settled();
    expect(output.writableEnded).toBe(true);
  });
});
