import type { URI } from '@moorage/protocol';

/** The customizations that are enabled for a session when an agent asks. */
export interface AgentCustomizations {
  /** What the agent shall keep to. */
  readonly rules: readonly AgentRule[];
  /** What the agent can look up when it needs it. */
  readonly skills: readonly AgentSkill[];
  /** Messages that the user sends by their name. */
  readonly prompts: readonly AgentPrompt[];
  /** Agents that the user can choose, made of instructions. */
  readonly agents: readonly CustomAgent[];
}

/** A rule, skill, prompt or custom agent. */
export interface AgentCustomization {
  /** The name for people, and for the model. */
  readonly name: string;
  /** Where it comes from. */
  readonly uri: URI;
  /** When to use it. */
  readonly description?: string | undefined;
  /** Where it was found. Agents that search folders by themselves already know those of `workspace` and `user`. */
  readonly origin: CustomizationOrigin;
  /** The name of the plugin it is part of, if any. */
  readonly plugin?: string | undefined;
  /** Reads its current text, without front matter. Rejects with an AgentError when it cannot be read. */
  text(): Promise<string>;
}

/** Where a customization was found; `client`: a connected client published it. */
export type CustomizationOrigin = 'workspace' | 'user' | 'plugin' | 'client';

/** Instructions that an agent should follow. */
export interface AgentRule extends AgentCustomization {
  /** Whether it applies to every message. Otherwise it applies when a matching file is used, or when the agent reads it. */
  readonly alwaysApply: boolean;
  /** Whether it has globs for `appliesTo`. */
  readonly hasGlobs: boolean;
  /** Whether it applies to a file, given by its path relative to the session's folder, with slashes. */
  appliesTo(path: string): boolean;
}

/** Instructions for a kind of task: the agent gets the description, and reads the text when it needs it. */
export interface AgentSkill extends AgentCustomization {
  /** Whether only the user may invoke it, not the model (B-236). */
  readonly disableModelInvocation: boolean;
  /** Reads another file of the skill, by its path in the skill's folder. Rejects with an AgentError if that is impossible. */
  file(path: string): Promise<string>;
}

/** A prepared message that a user invokes by name. */
export type AgentPrompt = AgentCustomization;

/** A role that a user can select for the agent. */
export interface CustomAgent extends AgentCustomization {
  /** The tools that it may use, as its author named them; all tools when absent. */
  readonly tools?: readonly string[] | undefined;
}

export const NO_CUSTOMIZATIONS: AgentCustomizations = { rules: [], skills: [], prompts: [], agents: [] };
