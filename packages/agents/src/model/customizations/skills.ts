import type { AgentCustomization, AgentCustomizations, AgentSkill } from '@moorage/host/ports';
import { Type } from '@moorage/protocol/internal';
import { ToolProblem } from '../../shared/tool-problem.js';
import { MAX_RESULT_CHARS } from '../limits.js';
import { cutMiddle } from '../tools/cut.js';
import { defineTool, type ModelTool } from '../tools/tool.js';
import { MAX_LISTED_CHARS, MAX_LISTED_SKILLS, MAX_SUGGESTED } from './limits.js';

interface Offered {
  readonly name: string;
  readonly what: AgentCustomization;
  readonly skill?: AgentSkill;
}

/** What the model may choose by itself: skills that are not only for the user, and rules that just say when they help. */
export function offeredTo({ skills, rules }: AgentCustomizations): ReadonlyMap<string, Offered> {
  const offered = new Map<string, Offered>();
  const add = (what: AgentCustomization, skill?: AgentSkill) => {
    const full = what.plugin === undefined ? what.name : `${what.plugin}:${what.name}`;
    const name = offered.has(what.name) ? full : what.name; // the one nearest to the session gets the plain name
    if (!offered.has(name)) offered.set(name, { name, what, ...(skill && { skill }) });
  };
  for (const skill of skills) if (!skill.disableModelInvocation) add(skill, skill);
  for (const rule of rules) if (!rule.alwaysApply && !rule.hasGlobs) add(rule);
  return offered;
}

export function skillSections(offered: ReadonlyMap<string, Offered>): string[] {
  if (offered.size === 0) return [];
  const lines = [...offered.values()].slice(0, MAX_LISTED_SKILLS).map(({ name, what }) => {
    const line = what.description === undefined ? `- ${name}` : `- ${name}: ${what.description}`;
    return line.length > MAX_LISTED_CHARS ? `${line.slice(0, MAX_LISTED_CHARS - 1)}…` : line;
  });
  const more = offered.size - lines.length;
  const note = more > 0 ? [`(and ${more} more; ask the skill tool for one by a part of its name)`] : [];
  const head = 'Skills: before you do what one of them is about, read it with the skill tool.';
  return [[head, '<skills>', ...lines, ...note, '</skills>'].join('\n')];
}

export function skillTool(offered: ReadonlyMap<string, Offered>): ModelTool {
  return defineTool({
    name: 'skill',
    displayName: 'Read skill',
    description: 'Reads one of the skills that you were told of, or with `file` another file of its folder.',
    isReadOnly: true,
    parameters: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 300 }),
      file: Type.Optional(
        Type.String({ minLength: 1, maxLength: 1_000, description: 'A path in the skill’s folder.' }),
      ),
    }),
    prepare: ({ name, file }) => {
      const found = offered.get(name);
      if (!found) throw new ToolProblem('noSuchSkill', `There is no skill ${name}. ${suggestions(name, offered)}`);
      const shown = file === undefined ? name : `${name}/${file}`;
      return {
        words: { now: `Read skill ${shown}`, past: `Read skill ${shown}`, failed: `Could not read skill ${shown}` },
        run: async () => ({ text: cutMiddle(await skillText(found, file), MAX_RESULT_CHARS) || '(empty)' }),
      };
    },
  });
}

async function skillText({ what, skill, name }: Offered, file: string | undefined): Promise<string> {
  if (file === undefined) return what.text();
  if (skill) return skill.file(file);
  throw new ToolProblem('noSuchFile', `${name} has no files.`);
}

function suggestions(name: string, offered: ReadonlyMap<string, Offered>): string {
  const wanted = name.toLowerCase();
  const near = [...offered.keys()].filter((candidate) => candidate.toLowerCase().includes(wanted));
  const names = (near.length > 0 ? near : [...offered.keys()]).slice(0, MAX_SUGGESTED);
  return `There are: ${names.join(', ')}.`;
}
