import { isObject } from '@moorage/protocol';
import { FolderEditError } from '../../ports/folder-editor.js';
import type { CheckCounts, PullRequest, PullRequestWishes } from '../../ports/user-repository.js';
import type { Git } from '../shared/git/git.js';
import { localName, push } from './branches.js';
import { repositoryFacts } from './facts.js';
import { runAsUser } from './user-git.js';

/** Pushes the branch, and opens a pull request for it or changes the one that is open, with the forge's own tool. */
export async function createPullRequest(
  git: Git,
  folder: string,
  base: string,
  wishes: PullRequestWishes,
): Promise<PullRequest> {
  const { branch } = await push(git, folder);
  const { forge } = await repositoryFacts(git, folder);
  if (!forge || 'missing' in forge) throw new FolderEditError('refused', forge?.missing ?? 'there is no remote');
  const tool = forge.tool === 'gh' ? GITHUB : GITLAB;
  const run = (args: readonly string[]) => runAsUser(git, forge.tool, args, folder);
  const open = tool.read(parsed(await run(tool.view(branch)).catch(() => '')));
  if (open) {
    for (const args of tool.edit(branch, wishes)) await run(args);
    return { ...open, isNew: false };
  }
  const output = await run(tool.create(branch, localName(base), wishes));
  const url = /https?:\/\/\S+/.exec(output)?.[0];
  if (!url) throw new FolderEditError('refused', `${forge.tool} did not say where the pull request is: ${output}`);
  return { url, isNew: true };
}

interface Tool {
  view(branch: string): string[];
  create(branch: string, base: string, wishes: PullRequestWishes): string[];
  /** The commands that change what was given, and nothing else. */
  edit(branch: string, wishes: PullRequestWishes): string[][];
  /** The pull request that `view` shows; undefined if none is open. */
  read(shown: Shown): Pick<PullRequest, 'url' | 'checks'> | undefined;
}

type Shown = Readonly<Record<string, unknown>>;

const GITHUB: Tool = {
  view: (branch) => ['pr', 'view', branch, '--json', 'url,state,statusCheckRollup'],
  create: (branch, base, { suggested, title, body, draft }) => [
    ...['pr', 'create', '--title', title ?? suggested.title, '--body', body ?? suggested.body],
    ...['--base', base, '--head', branch, ...(draft ? ['--draft'] : [])],
  ],
  edit: (branch, { title, body, draft }) => [
    ...(title !== undefined || body !== undefined
      ? [['pr', 'edit', branch, ...option('--title', title), ...option('--body', body)]]
      : []),
    ...(draft === undefined ? [] : [['pr', 'ready', branch, ...(draft ? ['--undo'] : [])]]),
  ],
  read: ({ url, state, statusCheckRollup }) =>
    typeof url === 'string' && state === 'OPEN' ? { url, checks: githubChecks(statusCheckRollup) } : undefined,
};

const GITLAB: Tool = {
  view: (branch) => ['mr', 'view', branch, '--output', 'json'],
  create: (branch, base, { suggested, title, body, draft }) => [
    ...['mr', 'create', '--yes', '--title', title ?? suggested.title, '--description', body ?? suggested.body],
    ...['--target-branch', base, '--source-branch', branch, ...(draft ? ['--draft'] : [])],
  ],
  edit: (branch, { title, body, draft }) => {
    const changes = [
      ...option('--title', title),
      ...option('--description', body),
      ...(draft === undefined ? [] : [draft ? '--draft' : '--ready']),
    ];
    return changes.length === 0 ? [] : [['mr', 'update', branch, '--yes', ...changes]];
  },
  read: ({ web_url: url, state, head_pipeline: pipeline }) => {
    if (typeof url !== 'string' || state !== 'opened') return undefined;
    return { url, ...(isObject(pipeline) && { checks: count([pipeline.status]) }) };
  },
};

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

/** The output of a tool is not ours: what is no JSON object counts as nothing. */
function parsed(output: string): Shown {
  try {
    const value: unknown = JSON.parse(output);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Runs of actions have a conclusion once they are complete; statuses of other services have a state. */
function githubChecks(rollup: unknown): CheckCounts {
  const checks = Array.isArray(rollup) ? rollup.filter(isObject) : [];
  return count(checks.map(({ conclusion, state }) => conclusion || state));
}

const PASSED = /^(success|neutral|skipped)$/i;
const FAILED = /^(failure|failed|error|cancell?ed|timed_out|action_required|startup_failure|stale)$/i;

function count(outcomes: readonly unknown[]): CheckCounts {
  const texts = outcomes.map(String);
  const passed = texts.filter((text) => PASSED.test(text)).length;
  const failed = texts.filter((text) => FAILED.test(text)).length;
  return { passed, failed, pending: texts.length - passed - failed };
}
