import { readCount, readJsonObject, takeWord, takeWords, unescapeText } from './arguments.js';
import type { Step } from './step.js';

export interface StepSyntax {
  readonly usage: string;
  /** For the list of steps. */
  readonly summary: string;
  /** The step, or what is wrong with the arguments. */
  read(rest: string): Step | string;
}

/** Deltas of one `/stream`: a typo must not stream for a day. */
const MAX_STREAM_DELTAS = 1_000_000;

/** Milliseconds of one `/wait`: a day, which a timer can still hold. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1000;

/** Tokens that `/usage` may report: far more than any model uses. */
const MAX_TOKENS = 1_000_000_000;

const ONE_NAME = 'PATH must be one name; put it in double quotes if it contains blanks';
const NOT_JSON = 'JSON must be an object such as {"key": "value"}';

/** Every step of the script language. A Map, because somebody may write `/constructor`. */
export const SYNTAX: ReadonlyMap<string, StepSyntax> = new Map<string, StepSyntax>([
  ['say', textStep('/say TEXT', 'says TEXT', (text) => ({ kind: 'say', text }))],
  ['think', textStep('/think TEXT', 'thinks TEXT', (text) => ({ kind: 'think', text }))],
  [
    'stream',
    {
      usage: '/stream N',
      summary: 'streams N words',
      read(rest) {
        const count = readCount(rest.trim(), MAX_STREAM_DELTAS);
        return count === undefined
          ? `N must be a whole number, at most ${MAX_STREAM_DELTAS}`
          : { kind: 'stream', count };
      },
    },
  ],
  [
    'write',
    {
      usage: '/write PATH TEXT',
      summary: 'writes the file; `\\n` in TEXT is a newline',
      read(rest) {
        const taken = takeWord(rest);
        if (!taken) return 'PATH is missing';
        return { kind: 'write', path: taken.word, text: unescapeText(taken.rest) };
      },
    },
  ],
  [
    'append',
    {
      usage: '/append PATH TEXT',
      summary: 'adds TEXT at the end of the file',
      read(rest) {
        const taken = takeWord(rest);
        if (!taken) return 'PATH is missing';
        if (taken.rest === '') return 'TEXT is missing';
        return { kind: 'append', path: taken.word, text: unescapeText(taken.rest) };
      },
    },
  ],
  ['delete', pathStep('/delete PATH', 'deletes the file', (path) => ({ kind: 'delete', path }))],
  [
    'rename',
    {
      usage: '/rename FROM TO',
      summary: 'renames the file',
      read(rest) {
        const [from, to] = takeWords(rest, 2) ?? [];
        if (from === undefined || to === undefined) {
          return 'FROM and TO must be two names; put a name in double quotes if it contains blanks';
        }
        return { kind: 'rename', from, to };
      },
    },
  ],
  ['replace', { usage: '/replace PATH OLD => NEW', summary: 'replaces the first OLD by NEW', read: readReplace }],
  ['run', textStep('/run COMMAND', 'runs the command in a terminal', (command) => ({ kind: 'run', command }))],
  ['read', pathStep('/read PATH', 'reads the file', (path) => ({ kind: 'read', path }))],
  ['ask', { usage: '/ask QUESTION | option | option', summary: 'asks you', read: readAsk }],
  ['spawn', textStep('/spawn MESSAGE', 'gives MESSAGE to a sub-agent', (message) => ({ kind: 'spawn', message }))],
  [
    'tool',
    {
      usage: '/tool NAME JSON',
      summary: 'calls a tool of the active client',
      read(rest) {
        const taken = takeWord(rest);
        if (!taken) return 'NAME is missing';
        const input = readJsonObject(taken.rest);
        return input === undefined ? NOT_JSON : { kind: 'tool', name: taken.word, input };
      },
    },
  ],
  [
    'mcp',
    {
      usage: '/mcp SERVER TOOL JSON',
      summary: 'calls a tool of an MCP server',
      read(rest) {
        const server = takeWord(rest);
        const tool = server && takeWord(server.rest);
        if (!tool) return 'SERVER and TOOL are needed';
        const input = readJsonObject(tool.rest);
        return input === undefined ? NOT_JSON : { kind: 'mcp', server: server.word, tool: tool.word, input };
      },
    },
  ],
  ['title', { usage: '/title TEXT', summary: 'sets the title', read: readTitle }],
  [
    'usage',
    {
      usage: '/usage IN OUT',
      summary: 'reports tokens',
      read(rest) {
        const [input, output] = (takeWords(rest, 2) ?? []).map((word) => readCount(word, MAX_TOKENS));
        if (input === undefined || output === undefined) {
          return `IN and OUT must be whole numbers, at most ${MAX_TOKENS}`;
        }
        return { kind: 'usage', input, output };
      },
    },
  ],
  [
    'wait',
    {
      usage: '/wait MS',
      summary: 'waits that many milliseconds',
      read(rest) {
        const milliseconds = readCount(rest.trim(), MAX_WAIT_MS);
        if (milliseconds === undefined) return `MS must be a whole number of milliseconds, at most ${MAX_WAIT_MS}`;
        return { kind: 'wait', milliseconds };
      },
    },
  ],
  ['fail', textStep('/fail TEXT', 'ends the turn with an error', (message) => ({ kind: 'fail', message }))],
  [
    'crash',
    {
      usage: '/crash',
      summary: 'kills the process of the agent',
      read: (rest) => (rest.trim() === '' ? { kind: 'crash' } : 'it takes no arguments'),
    },
  ],
  [
    'auto',
    {
      usage: '/auto on|off',
      summary: 'stops or resumes asking for confirmation in this session',
      read(rest) {
        const word = rest.trim();
        return word === 'on' || word === 'off'
          ? { kind: 'auto', on: word === 'on' }
          : 'it must be followed by on or off';
      },
    },
  ],
]);

function textStep(usage: string, summary: string, make: (text: string) => Step): StepSyntax {
  const argument = usage.slice(usage.indexOf(' ') + 1);
  return {
    usage,
    summary,
    read: (rest) => (rest.trim() === '' ? `${argument} is missing` : make(unescapeText(rest))),
  };
}

function pathStep(usage: string, summary: string, make: (path: string) => Step): StepSyntax {
  return {
    usage,
    summary,
    read(rest) {
      const path = takeWords(rest, 1)?.[0];
      return path === undefined ? ONE_NAME : make(path);
    },
  };
}

function readReplace(rest: string): Step | string {
  const taken = takeWord(rest);
  if (!taken) return 'PATH is missing';
  const match = /^([\s\S]+?) =>(?: ([\s\S]*))?$/.exec(taken.rest);
  if (!match?.[1]) return 'OLD and NEW must be separated by ` => `';
  return { kind: 'replace', path: taken.word, old: unescapeText(match[1]), new: unescapeText(match[2] ?? '') };
}

function readTitle(rest: string): Step | string {
  const text = unescapeText(rest).replace(/\s+/g, ' ').trim();
  return text === '' ? 'TEXT is missing' : { kind: 'title', text };
}

function readAsk(rest: string): Step | string {
  const [question = '', ...options] = rest.split('|').map((part) => part.trim());
  if (question === '') return 'QUESTION is missing';
  // An option is its own id, so each may appear only once.
  const distinct = [...new Set(options.filter((option) => option !== ''))];
  return { kind: 'ask', question: unescapeText(question), options: distinct };
}
