import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScript, parseSteering } from '../../src/demo/script/parse.js';
import type { Step } from '../../src/demo/script/step.js';
import { SYNTAX } from '../../src/demo/script/syntax.js';

const GOOD: [line: string, step: Step][] = [
  ['/say Hello  there ', { kind: 'say', text: 'Hello  there ' }],
  ['/say a\\nb', { kind: 'say', text: 'a\nb' }],
  ['/think hm', { kind: 'think', text: 'hm' }],
  ['/stream 3', { kind: 'stream', count: 3 }],
  ['/stream 0', { kind: 'stream', count: 0 }],
  ['/write a.txt hello', { kind: 'write', path: 'a.txt', text: 'hello' }],
  ['/write a.txt', { kind: 'write', path: 'a.txt', text: '' }],
  ['/write a.txt   indented', { kind: 'write', path: 'a.txt', text: '  indented' }],
  ['/write "my file.txt" x', { kind: 'write', path: 'my file.txt', text: 'x' }],
  ['/write a.txt one\\ntwo\\\\nthree', { kind: 'write', path: 'a.txt', text: 'one\ntwo\\nthree' }],
  ['/write a.txt C:\\temp \\\\x', { kind: 'write', path: 'a.txt', text: 'C:\\temp \\\\x' }],
  ['/append a.txt more', { kind: 'append', path: 'a.txt', text: 'more' }],
  ['/delete dir/a.txt', { kind: 'delete', path: 'dir/a.txt' }],
  ['/rename a.txt "b c.txt"', { kind: 'rename', from: 'a.txt', to: 'b c.txt' }],
  ['/replace a.txt old text => new', { kind: 'replace', path: 'a.txt', old: 'old text', new: 'new' }],
  ['/replace a.txt old =>', { kind: 'replace', path: 'a.txt', old: 'old', new: '' }],
  ['/replace a.txt a => b => c', { kind: 'replace', path: 'a.txt', old: 'a', new: 'b => c' }],
  ['/run npm test', { kind: 'run', command: 'npm test' }],
  ['/read a.txt', { kind: 'read', path: 'a.txt' }],
  ['/ask Which? | red | blue | red |', { kind: 'ask', question: 'Which?', options: ['red', 'blue'] }],
  ['/ask Your name?', { kind: 'ask', question: 'Your name?', options: [] }],
  ['/spawn /say hi\\n/say ho', { kind: 'spawn', message: '/say hi\n/say ho' }],
  ['/tool open {"a": 1}', { kind: 'tool', name: 'open', input: '{"a": 1}' }],
  ['/tool open', { kind: 'tool', name: 'open', input: '{}' }],
  ['/mcp files list {}', { kind: 'mcp', server: 'files', tool: 'list', input: '{}' }],
  ['/title  A\\nB ', { kind: 'title', text: 'A B' }],
  ['/usage 10 20', { kind: 'usage', input: 10, output: 20 }],
  ['/wait 5', { kind: 'wait', milliseconds: 5 }],
  ['/fail oh no', { kind: 'fail', message: 'oh no' }],
  ['/crash', { kind: 'crash' }],
  ['/auto on', { kind: 'auto', on: true }],
  ['/auto off ', { kind: 'auto', on: false }],
];

const BAD = [
  '/say',
  '/think  ',
  '/stream',
  '/stream -1',
  '/stream 1.5',
  '/stream 1000001',
  '/stream 99999999999999999999',
  '/write',
  '/append',
  '/append a.txt',
  '/delete',
  '/delete two words',
  '/rename a',
  '/rename a b c',
  '/replace',
  '/replace a.txt',
  '/replace a.txt old new',
  '/replace a.txt  => new',
  '/run',
  '/read',
  '/read a b',
  '/ask',
  '/ask | a | b',
  '/spawn',
  '/tool',
  '/tool open [1]',
  '/tool open {',
  '/tool open null',
  '/mcp',
  '/mcp files',
  '/mcp files list 3',
  '/title',
  '/title \\n',
  '/usage 1',
  '/usage 1 x',
  '/usage 1 2 3',
  '/wait',
  '/wait soon',
  '/wait 86400001',
  '/fail',
  '/crash now',
  '/auto',
  '/auto maybe',
];

describe('the steps of a message', () => {
  it.each(GOOD)('reads %s', (line, step) => {
    expect(parseScript(line)).toEqual([step]);
  });

  it('has an example of every step', () => {
    expect(new Set(GOOD.map(([, step]) => step.kind))).toEqual(new Set(SYNTAX.keys()));
  });

  it.each(BAD)('says what is wrong with %s', (line) => {
    const name = line.slice(1).split(' ')[0] ?? '';
    const usage = SYNTAX.get(name)?.usage;
    expect(parseScript(line)).toEqual([{ kind: 'invalid', line, problem: expect.stringMatching(/./), usage }]);
  });

  it.each(['/', '/nothing', '/Say hi', '/constructor', '/__proto__', '/usr/bin/env'])('does not know %s', (line) => {
    const [step, ...others] = parseScript(line);
    expect(step).toEqual({ kind: 'invalid', line, problem: expect.stringContaining('there is no step') });
    expect(others).toEqual([]);
  });

  it('says other lines back, those that stand together as one', () => {
    expect(parseScript('# Hi\r\nyou\r\n/wait 1\r\n\r\n /say not a step\n/crash\n\n')).toEqual([
      { kind: 'say', text: '# Hi\nyou' },
      { kind: 'wait', milliseconds: 1 },
      { kind: 'say', text: '/say not a step' },
      { kind: 'crash' },
    ]);
  });

  it.each(['', '  \n', 'hello', 'what can you do?\n'])('explains itself when there are no steps: %j', (message) => {
    expect(parseScript(message)).toEqual([{ kind: 'help' }]);
  });

  it('takes steering without steps as something to say', () => {
    expect(parseSteering('faster')).toEqual([{ kind: 'say', text: 'faster' }]);
    expect(parseSteering(' ')).toEqual([]);
  });
});

describe('properties of the parser', () => {
  const names = fc.constantFrom(...SYNTAX.keys());
  const rest = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('"', '{"a":', ' => ', '|||', '\\n'),
  );
  const lines = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.tuple(names, fc.array(rest)).map(([name, parts]) => `/${name} ${parts.join(' ')}`),
  );

  it('never throws and always finds something to do', () => {
    fc.assert(
      fc.property(fc.array(lines), fc.constantFrom('\n', '\r\n'), (message, lineBreak) => {
        const text = message.join(lineBreak);
        const steps = parseScript(text);
        expect(steps.length).toBeGreaterThan(0);
        const stepLines = text.split(/\r?\n/).filter((line) => line.startsWith('/')).length;
        const spoken = steps.length - stepLines;
        expect(spoken).toBeGreaterThanOrEqual(stepLines === 0 ? 1 : 0);
        expect(parseSteering(text).length).toBeGreaterThanOrEqual(stepLines);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives every text back that was escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }).filter(isPlain), (text) => {
        const written = text.replaceAll('\\n', '\\\\n').replaceAll('\n', '\\n');
        expect(parseScript(`/write a ${written}`)).toEqual([{ kind: 'write', path: 'a', text }]);
      }),
      { numRuns: 2000 },
    );
  });
});

/** A backslash right before a newline cannot be written, nor can a lone carriage return at the end of a line. */
function isPlain(text: string): boolean {
  return !text.includes('\\\n') && !text.includes('\r');
}
