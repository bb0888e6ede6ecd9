import type { URI } from '@ahpd/protocol';

/** What is enabled for a session when a turn begins, for agents that can use it. What is switched off is not here. */
export interface AgentCustomizations {
  readonly rules: readonly AgentRule[];
  readonly skills: readonly AgentSkill[];
  readonly prompts: readonly AgentPrompt[];
  readonly agents: readonly CustomAgent[];
}

/** Something that changes how an agent works, enabled in its session. */
export interface AgentCustomization {
  readonly name: string;
  readonly uri: URI;
  readonly description?: string | undefined;
  /** Who brought it. Agents that look into folders by themselves find what is of the workspace and of the user. */
  readonly origin: CustomizationOrigin;
  /** The plugin that it is part of. */
  readonly plugin?: string | undefined;
  /** What it says, without its front matter, as it is now. Rejects with an AgentError when it cannot be read. */
  text(): Promise<string>;
}

/** Where it was found. */
export type CustomizationOrigin = 'workspace' | 'user' | 'plugin' | 'client';

/** A text that an agent should follow. */
export interface AgentRule extends AgentCustomization {
  /** For every message; otherwise when a file is used that it applies to, or when the agent asks for it. */
  readonly alwaysApply: boolean;
  readonly hasGlobs: boolean;
  /** By a path relative to the session's folder, with slashes. */
  appliesTo(path: string): boolean;
}

/** What an agent can learn when it needs it: described here, read from its file. */
export interface AgentSkill extends AgentCustomization {
  /** Only the user invokes it (B-236). */
  readonly disableModelInvocation: boolean;
  /** Another file of the skill, by its path in the skill's folder. Rejects with an AgentError. */
  file(path: string): Promise<string>;
}

/** What a user invokes by its name. */
export type AgentPrompt = AgentCustomization;

/** A role that a user can give the agent. */
export interface CustomAgent extends AgentCustomization {
  /** The tools that it is to use, as its author names them; all without it. */
  readonly tools?: readonly string[] | undefined;
}

/** For an agent that is given none. */
export const NO_CUSTOMIZATIONS: AgentCustomizations = { rules: [], skills: [], prompts: [], agents: [] };
