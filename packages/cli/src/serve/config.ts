import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { findNodeAtLocation, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser';
import { UsageError } from '../usage-error.js';
import { modelProblem } from './model-agents.js';

/** What a configuration file may say at this stage. */
export interface Config {
  readonly roots?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  /** By provider id; each kind of agent reads its own. */
  readonly agents?: Readonly<Record<string, unknown>>;
}

/** Reads a configuration file: JSON with comments and trailing commas. A wrong one is refused with line and key. */
export function readConfig(file: string): Config {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`--config: cannot read ${file}`);
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) throw new UsageError(`${file}:${lineOf(text, first.offset)}: ${printParseErrorCode(first.error)}`);
  const problem = findProblem(value);
  if (problem) {
    const key = problem.path.join('.') || 'the file';
    throw new UsageError(`${file}:${lineOf(text, offsetOf(text, problem.path))}: ${key}: expected ${problem.expected}`);
  }
  const config = value as Config;
  return { ...config, ...(config.roots && { roots: config.roots.map(expandHome) }) };
}

interface Problem {
  readonly path: readonly (string | number)[];
  readonly expected: string;
}

const STRING_LISTS = ['roots', 'allowedOrigins'];
/** Understood by later stages; accepted so that one file serves them all. */
const OTHER_KEYS = ['agents', 'mcpServers'];

function findProblem(value: unknown): Problem | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { path: [], expected: 'an object' };
  for (const [key, member] of Object.entries(value)) {
    if (STRING_LISTS.includes(key)) {
      if (!Array.isArray(member)) return { path: [key], expected: 'a list of strings' };
      const wrong = member.findIndex((item) => typeof item !== 'string');
      if (wrong >= 0) return { path: [key, wrong], expected: 'a string' };
    } else if (key === 'agents') {
      const problem = findAgentProblem(member);
      if (problem) return problem;
    } else if (!OTHER_KEYS.includes(key)) {
      return { path: [key], expected: `one of the keys ${[...STRING_LISTS, ...OTHER_KEYS].join(', ')}` };
    }
  }
  return undefined;
}

function findAgentProblem(agents: unknown): Problem | undefined {
  if (typeof agents !== 'object' || agents === null || Array.isArray(agents)) {
    return { path: ['agents'], expected: 'an object' };
  }
  for (const [id, settings] of Object.entries(agents)) {
    if (!/^[\w.-]{1,64}$/.test(id) || id === 'demo') {
      return { path: ['agents', id], expected: 'another name: letters, digits, dots and dashes, and not "demo"' };
    }
    if (settings?.type !== 'model') continue;
    const problem = modelProblem(settings);
    if (problem) return { path: ['agents', id, problem.key], expected: problem.expected };
  }
  return undefined;
}

/** Where a value stands; for one that is missing, where what should hold it stands. */
function offsetOf(text: string, path: readonly (string | number)[]): number {
  const tree = parseTree(text);
  for (let length = path.length; tree && length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node) return node.offset;
  }
  return tree?.offset ?? 0;
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
