import type { ModelMessage } from 'ai';
import { fields } from '../../shared/untrusted.js';
import { cutMiddle } from '../tools/cut.js';

/** What must survive any number of summaries, whatever the model writes in them. */
export interface KeptFacts {
  /** What the user asked for, in their own words, oldest first. */
  readonly asked: string[];
  /** Files that were changed, by what was done to them last. */
  readonly changed: string[];
  /** The plan as it last was. */
  readonly plan?: string;
}

export const NO_FACTS: KeptFacts = { asked: [], changed: [] };

/** UTF-16 units of one request, and requests: the first ones and the latest ones say the most. */
const MAX_ASKED_CHARS = 400;
const MAX_FIRST_ASKED = 3;
const MAX_LAST_ASKED = 9;

/** Files, and UTF-16 units of the plan. */
const MAX_CHANGED = 60;
const MAX_PLAN_CHARS = 2_000;

const CHANGING = new Map([
  ['write', 'wrote'],
  ['edit', 'edited'],
  ['multi_edit', 'edited'],
  ['delete', 'deleted'],
]);

/** The facts so far, and those of messages that are about to be summarised. */
export function addFacts(before: KeptFacts, messages: readonly ModelMessage[]): KeptFacts {
  const calls = messages.flatMap(callsIn);
  const failed = new Set(messages.flatMap(failedCallsIn));
  const done = calls.filter(({ toolCallId }) => !failed.has(toolCallId));
  const changed = new Map(before.changed.map((line) => [line.slice(line.indexOf(' ') + 1), line]));
  for (const { toolName, input } of done) {
    const verb = CHANGING.get(toolName);
    const { path } = fields(input);
    if (verb === undefined || typeof path !== 'string') continue;
    changed.delete(path);
    changed.set(path, `${verb} ${path}`);
  }
  const planned = done.findLast(({ toolName }) => toolName === 'plan');
  const plan = planned ? cutMiddle(JSON.stringify(fields(planned.input).steps ?? ''), MAX_PLAN_CHARS) : before.plan;
  const asked = [...before.asked, ...messages.flatMap(requestIn)];
  return {
    asked: [...asked.slice(0, MAX_FIRST_ASKED), ...asked.slice(MAX_FIRST_ASKED).slice(-MAX_LAST_ASKED)],
    changed: [...changed.values()].slice(-MAX_CHANGED),
    ...(plan !== undefined && { plan }),
  };
}

/** The facts as the model reads them after the summary, in at most so many UTF-16 units. */
export function factsText({ asked, changed, plan }: KeptFacts, maxChars: number): string {
  const parts = [
    asked.length > 0 && `The user asked, among other things:\n${asked.map((text) => `- ${text}`).join('\n')}`,
    changed.length > 0 && `You ${changed.join(', ')}.`,
    plan && `Your plan was: ${plan}`,
  ];
  return cutMiddle(parts.filter(Boolean).join('\n'), maxChars);
}

function requestIn({ role, content }: ModelMessage): string[] {
  if (role !== 'user') return [];
  const texts = typeof content === 'string' ? [content] : content.map((part) => ('text' in part ? part.text : ''));
  const text = texts.join(' ').replaceAll(/\s+/g, ' ').trim();
  return text === '' ? [] : [cutMiddle(text, MAX_ASKED_CHARS)];
}

function callsIn({ role, content }: ModelMessage) {
  if (role !== 'assistant' || typeof content === 'string') return [];
  return content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
}

function failedCallsIn({ role, content }: ModelMessage): string[] {
  if (role !== 'tool') return [];
  return content.flatMap((part) =>
    part.type === 'tool-result' && part.output.type === 'error-text' ? [part.toolCallId] : [],
  );
}
