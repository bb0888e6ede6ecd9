import { relative, resolve, sep } from 'node:path';
import { compileGlob, type Glob } from '../../paths/glob.js';
import { AgentError } from '../../ports/agent.js';
import type {
  AgentCustomization,
  AgentCustomizations,
  AgentRule,
  AgentSkill,
  CustomAgent,
} from '../../ports/customizations.js';
import type { FoundCustomization, LoadedContainer } from './found.js';
import { splitFrontMatter } from './parse/front-matter.js';
import { pathWithin, type Tree } from './tree.js';

/**
 * The contents of enabled containers in the form agents get them. `folder` is the session's first one; agents name files in
 * it by their paths in it, and others by whole paths.
 */
export function forAgents(containers: readonly LoadedContainer[], folder: string | undefined): AgentCustomizations {
  const rules: AgentRule[] = [];
  const skills: AgentSkill[] = [];
  const prompts: AgentCustomization[] = [];
  const agents: CustomAgent[] = [];
  for (const container of containers) {
    for (const { child, file, tools } of container.found) {
      if (!file) continue;
      const common = commonOf(child, file, container);
      if (child.type === 'rule') rules.push({ ...common, ...ruleOf(child, pathsFor(container, folder)) });
      if (child.type === 'skill') {
        const { disableModelInvocation = false } = child;
        skills.push({ ...common, disableModelInvocation, file: (path) => fileOf(file, path) });
      }
      if (child.type === 'prompt') prompts.push(common);
      if (child.type === 'agent') agents.push({ ...common, ...(tools && { tools }) });
    }
  }
  return { rules, skills, prompts, agents };
}

function commonOf(
  { name, uri, ...child }: FoundCustomization['child'],
  { tree, path }: { tree: Tree; path: string },
  { origin, entry }: LoadedContainer,
): AgentCustomization {
  return {
    name,
    uri,
    ...('description' in child && child.description !== undefined && { description: child.description }),
    origin,
    ...(entry.type === 'plugin' && { plugin: entry.name }),
    text: async () => splitFrontMatter(await readText(tree, path)).body.trim(),
  };
}

function ruleOf(
  { alwaysApply = false, globs = [] }: { alwaysApply?: boolean | undefined; globs?: string[] | undefined },
  pathFor: (path: string) => string | undefined,
) {
  const compiled = globs.flatMap(compile);
  const appliesTo = (path: string) => {
    const within = pathFor(path);
    return within !== undefined && compiled.some((glob) => glob(within));
  };
  return { alwaysApply, hasGlobs: compiled.length > 0, appliesTo };
}

/** The path of a file as rules of a container know it: a folder's own rules are about the files in it only. */
function pathsFor({ workspace }: LoadedContainer, folder: string | undefined) {
  if (workspace === undefined || folder === undefined) return (path: string) => path;
  return (path: string) => {
    const within = relative(workspace, resolve(folder, path)).split(sep).join('/');
    return within === '..' || within.startsWith('../') ? undefined : within;
  };
}

/** A pattern without a slash applies in any folder, as other tools read it. An invalid one matches nothing. */
function compile(glob: string): Glob[] {
  try {
    return [compileGlob(glob.includes('/') ? glob : `**/${glob}`)];
  } catch {
    return [];
  }
}

function fileOf({ tree, path }: { tree: Tree; path: string }, inside: string): Promise<string> {
  const folder = path.split('/').slice(0, -1).join('/');
  const found = pathWithin(folder, inside);
  if (found === undefined) throw new AgentError('outsideSkill', `${inside} is not a path in the folder of the skill.`);
  return readText(tree, found);
}

async function readText(tree: Tree, path: string): Promise<string> {
  try {
    const text = await tree.read(path);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new AgentError('unreadable', `${path} cannot be read: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
  throw new AgentError('notFound', `${path} does not exist.`);
}
