import type { Step } from './step.js';
import { SYNTAX } from './syntax.js';

/** The steps of a message. Whatever the text is, there is at least one, and an invalid one says what is wrong. */
export function parseScript(message: string): Step[] {
  const lines = splitLines(message);
  return lines.some(isStep) ? parseLines(lines) : [{ kind: 'help' }];
}

/** The steps of a message that steers a running script. Without any it is said back; there may be none at all. */
export function parseSteering(message: string): Step[] {
  return parseLines(splitLines(message));
}

function parseLines(lines: readonly string[]): Step[] {
  const steps: Step[] = [];
  let spoken: string[] = [];
  const endSpoken = () => {
    const text = spoken.join('\n').trim();
    if (text !== '') steps.push({ kind: 'say', text });
    spoken = [];
  };
  for (const line of lines) {
    if (isStep(line)) {
      endSpoken();
      steps.push(parseStep(line));
    } else {
      spoken.push(line);
    }
  }
  endSpoken();
  return steps;
}

function parseStep(line: string): Step {
  const [, name = '', rest = ''] = /^\/(\S*)(?:\s([\s\S]*))?$/.exec(line) ?? [];
  const syntax = SYNTAX.get(name);
  if (!syntax) return { kind: 'invalid', line, problem: `there is no step \`/${clip(name)}\`` };
  const step = syntax.read(rest);
  return typeof step === 'string' ? { kind: 'invalid', line, problem: step, usage: syntax.usage } : step;
}

function splitLines(message: string): string[] {
  return message.split(/\r?\n/);
}

function isStep(line: string): boolean {
  return line.startsWith('/');
}

function clip(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
