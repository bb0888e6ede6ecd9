import {
  type CreateSessionParams,
  primaryDirectory,
  type ResolveSessionConfigParams,
  type ResolveSessionConfigResult,
  type SessionConfigCompletionsParams,
  type SessionConfigSchema,
  type SessionConfigValueItem,
  type URI,
} from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import type { AgentProvider } from '../../ports/agent.js';
import type { Sandbox } from '../../ports/sandbox.js';
import { type WorktreeChoices, WorktreeError, type WorktreeLocation } from '../../ports/worktrees.js';
import type { HostContext } from '../context.js';
import { type WorkingDirectory, workingDirectory } from '../working-directory.js';
import { MAX_COMPLETIONS, MAX_QUERY_CHARS, SEED_BRANCHES } from './limits.js';
import type { RootSettings } from './root-config.js';
import { chosenSandbox, type SandboxFacts } from './sandbox-setting.js';
import { checkedValues, chosenIsolation, givenSettings } from './session-config.js';
import { type GitFacts, sessionSchema, withDefaults } from './session-schema.js';
import { textsFor } from './texts.js';

/** Where a new session will work. */
export interface Arrangement {
  readonly git?: GitFacts | undefined;
  /** Set when the session gets a work tree. */
  readonly place?: WorktreeLocation | undefined;
}

/** The client that asks. */
interface Asking {
  readonly locale?: string | undefined;
  readonly isOurs: boolean;
}

/** Determines the settings of a session and the values they allow. */
export class ConfigService {
  readonly #context: HostContext;
  readonly #settings: RootSettings;
  readonly #worktrees: WorktreeChoices | undefined;
  readonly #sandbox: Sandbox | undefined;

  constructor(
    context: HostContext,
    settings: RootSettings,
    worktrees: WorktreeChoices | undefined,
    sandbox: Sandbox | undefined,
  ) {
    this.#context = context;
    this.#settings = settings;
    this.#worktrees = worktrees;
    this.#sandbox = sandbox;
  }

  /** Throws if the sandbox that a session asks for cannot be had. */
  sandbox(given: Readonly<Record<string, unknown>>, agent: AgentProvider): SandboxFacts | undefined {
    return chosenSandbox(this.#sandbox, given.sandbox, agent);
  }

  /** Decides without running git, because a session is created at once; git runs later. */
  arrange(session: URI, folder: WorkingDirectory | undefined, given: Readonly<Record<string, unknown>>): Arrangement {
    const place = this.#place(folder, session);
    const whyNot = typeof place === 'string' ? place : undefined;
    const isolation = chosenIsolation(given, this.#settings.isolation, whyNot);
    if (!folder || place === NO_REPOSITORY) return {};
    const onEnd = this.#settings.worktreeOnEnd;
    // A host without work trees does not look for repositories, so a base branch may still make sense.
    if (!this.#worktrees) return { git: { offersWorktree: false, onEnd } };
    const git = { isolation, offersWorktree: whyNot === undefined, onEnd };
    return { git, place: isolation === 'worktree' && typeof place !== 'string' ? place : undefined };
  }

  /** Waits for an agent to name its settings if some are given that are not known. Undefined when there is no need. */
  learnSettings(params: CreateSessionParams): Promise<void> | undefined {
    const { provider, config: given = {} } = params;
    const uri = primaryDirectory(params);
    const { agents, folders } = this.#context;
    const agent = provider === undefined ? undefined : agents.get(provider);
    if (!agent?.learnSettings || uri === undefined) return undefined;
    const own = sessionSchema({ texts: textsFor(undefined), git: ANY_GIT, sandbox: ANY_SANDBOX }).properties;
    const known = { ...agent.sessionConfig, ...own };
    if (Object.keys(given).every((key) => Object.hasOwn(known, key))) return undefined;
    return agent.learnSettings(workingDirectory(folders, uri).path);
  }

  async resolve(params: ResolveSessionConfigParams, client: Asking): Promise<ResolveSessionConfigResult> {
    const { schema, values, folder } = await this.#resolve(params, client);
    await this.#assertBranches(folder, values);
    return { schema, values };
  }

  async completions(params: SessionConfigCompletionsParams, client: Asking): Promise<SessionConfigValueItem[]> {
    const { property: key, query = '' } = params;
    if (query.length > MAX_QUERY_CHARS)
      throw invalidParams(`params/query: expected at most ${MAX_QUERY_CHARS} characters`);
    const branches = key === 'baseBranch' && this.#branchesFor(params, query, client.locale);
    if (branches) return branches;
    const { schema } = await this.#resolve(params, client);
    const property = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (!property) throw invalidParams(`params/property: there is no setting "${key}" here`);
    const wanted = query.toLowerCase();
    const items = (property.enum ?? []).map((value, index) => ({
      value: String(value),
      label: property.enumLabels?.[index] ?? String(value),
      ...(property.enumDescriptions?.[index] !== undefined && { description: property.enumDescriptions[index] }),
    }));
    return items
      .filter(({ value, label }) => `${value}\n${label}`.toLowerCase().includes(wanted))
      .slice(0, MAX_COMPLETIONS);
  }

  async #resolve(
    { provider, workingDirectory: uri, config }: ResolveSessionConfigParams,
    { locale, isOurs }: Asking,
  ): Promise<{ schema: SessionConfigSchema; values: Record<string, unknown>; folder: WorkingDirectory | undefined }> {
    const { agents, folders } = this.#context;
    const agent = agents.named(provider);
    const folder = uri === undefined ? undefined : workingDirectory(folders, uri);
    const given = givenSettings(config, isOurs);
    const [git] = await Promise.all([this.#git(folder, given.values), folder && agent.learnSettings?.(folder.path)]);
    const sandbox = this.sandbox(given.values, agent);
    const schema = sessionSchema({ texts: textsFor(locale), ofAgent: agent.sessionConfig, git, sandbox });
    const values = checkedValues(schema, given);
    return { schema, values: withDefaults(schema, values), folder };
  }

  /** What git knows about a folder, including a few branches to offer first. */
  async #git(
    folder: WorkingDirectory | undefined,
    given: Readonly<Record<string, unknown>>,
  ): Promise<GitFacts | undefined> {
    const place = this.#place(folder, NEW_SESSION);
    if (!folder || !this.#worktrees || place === NO_REPOSITORY) return this.arrange('', folder, given).git;
    const { problem, branch } = await this.#worktrees.summarize(folder.path);
    const whyNot = typeof place === 'string' ? place : problem;
    const isolation = chosenIsolation(given, this.#settings.isolation, whyNot);
    const branches = await this.#worktrees.branches(folder.path, '', SEED_BRANCHES).catch(() => []);
    const onEnd = this.#settings.worktreeOnEnd;
    const names = branches.map(({ name }) => name);
    return { isolation, offersWorktree: whyNot === undefined, onEnd, branches: names, branch };
  }

  /** Runs on every keystroke, so it looks at nothing but branches. Undefined outside a repository. */
  #branchesFor(
    { provider, workingDirectory: uri }: SessionConfigCompletionsParams,
    query: string,
    locale: string | undefined,
  ): Promise<SessionConfigValueItem[]> | undefined {
    this.#context.agents.named(provider);
    const folder = uri === undefined ? undefined : workingDirectory(this.#context.folders, uri);
    const isRepository = folder && this.#place(folder, NEW_SESSION) !== NO_REPOSITORY;
    return isRepository && this.#worktrees ? this.#branches(this.#worktrees, folder, query, locale) : undefined;
  }

  async #branches(
    worktrees: WorktreeChoices,
    folder: WorkingDirectory,
    query: string,
    locale: string | undefined,
  ): Promise<SessionConfigValueItem[]> {
    const { currentBranch, remoteBranch } = textsFor(locale);
    const found = await worktrees.branches(folder.path, query, MAX_COMPLETIONS).catch(() => []);
    return found.map(({ name, remote, current }) => ({
      value: name,
      label: name,
      ...((current || remote) && { description: current ? currentBranch : remoteBranch }),
    }));
  }

  /** Rejects branch names that cannot be used now, not after the session has been created. */
  async #assertBranches(
    folder: WorkingDirectory | undefined,
    { isolation, baseBranch, branchName }: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const place = this.#place(folder, NEW_SESSION);
    if (!folder || !this.#worktrees || typeof place === 'string' || isolation !== 'worktree') return;
    const request = {
      folder: folder.path,
      place,
      suggestedBranch: 'moorage/new',
      ...given({ baseBranch, branchName }),
    };
    try {
      await this.#worktrees.plan(request);
    } catch (error) {
      throw error instanceof WorktreeError ? invalidParams(`params/config: ${error.message}`) : error;
    }
  }

  /** Where a work tree would go, or the reason why there can be none. */
  #place(folder: WorkingDirectory | undefined, session: URI): WorktreeLocation | string {
    if (!folder) return 'the session has no folder';
    if (!this.#worktrees) return 'this host does not make work trees';
    const place = this.#worktrees.place(folder.path, session);
    if (!place) return NO_REPOSITORY;
    // A work tree contains the whole repository, so all of that must be within the host's roots.
    if (this.#context.folders.contains(place.top)) return place;
    return `the repository begins at ${place.top}, outside the folders that this host may use`;
  }
}

/** With this, the schema has all of the host's own settings. */
const ANY_GIT: GitFacts = { isolation: 'worktree', offersWorktree: true, onEnd: 'keep' };

const ANY_SANDBOX: SandboxFacts = { mode: 'off', offered: ['off'] };

/** Stands in for the session that does not exist yet. */
const NEW_SESSION = 'ahp-session:/new';

const NO_REPOSITORY = 'the folder belongs to no git work tree';

/** The values that are non-empty strings. */
function given(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(values).filter(([, value]) => typeof value === 'string' && value !== '');
  return Object.fromEntries(entries) as Record<string, string>;
}
