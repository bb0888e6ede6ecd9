import { type AgentCustomizations, AgentError, type AgentTurn, type CustomAgent } from '@moorage/host/ports';
import type { Message, ToolDefinition } from '@moorage/protocol';
import { MAX_INSTRUCTION_CHARS } from '../limits.js';
import { cutMiddle } from '../tools/cut.js';
import type { ModelTool } from '../tools/tool.js';
import { mayUse, toolsFor } from './custom-agent.js';
import { expandPrompt, invocationIn } from './expand-prompt.js';
import { RulesInPlay } from './rules-in-play.js';
import { offeredTo, skillSections, skillTool } from './skills.js';

/** The customizations of a session, as they apply to one turn. */
export class TurnCustomizations {
  readonly rules: RulesInPlay;
  readonly #all: AgentCustomizations;
  readonly #turn: AgentTurn;
  readonly #agent: CustomAgent | undefined;
  readonly #role: readonly string[];
  readonly #offered: ReturnType<typeof offeredTo>;

  static async load(turn: AgentTurn): Promise<TurnCustomizations> {
    const all = await turn.customizations();
    const rules = await RulesInPlay.load(all.rules);
    const agent = all.agents.find(({ uri }) => uri === turn.agent?.uri);
    const role = agent && (await agent.text().catch(noText));
    if (turn.agent && role === undefined) {
      turn.emit({
        kind: 'notice',
        text: 'The chosen custom agent is not available any more; this turn goes without it.',
      });
    }
    return new TurnCustomizations(turn, all, rules, agent, role);
  }

  private constructor(
    turn: AgentTurn,
    all: AgentCustomizations,
    rules: RulesInPlay,
    agent: CustomAgent | undefined,
    role: string | undefined,
  ) {
    this.#turn = turn;
    this.#all = all;
    this.rules = rules;
    this.#agent = agent;
    const text = role && cutMiddle(role, MAX_INSTRUCTION_CHARS);
    this.#role = text ? [`<role name="${agent?.name}">\n${text}\n</role>`] : [];
    this.#offered = offeredTo(all);
  }

  /** What the model is told before the conversation; rules may be added during the turn. */
  get sections(): string[] {
    return [...this.rules.sections, ...skillSections(this.#offered), ...this.#role];
  }

  tools(own: ReadonlyMap<string, ModelTool>): ReadonlyMap<string, ModelTool> {
    const skill = this.#offered.size > 0 ? [skillTool(this.#offered)] : [];
    return toolsFor(new Map([...own, ...skill.map((tool) => [tool.name, tool] as const)]), this.#agent?.tools);
  }

  clientTools(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
    return tools.filter(({ name }) => mayUse(name, this.#agent?.tools));
  }

  mcpTools<T>(byName: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
    return new Map([...byName].filter(([name]) => mayUse(name, this.#agent?.tools)));
  }

  /** A message as the model gets it: a prompt or skill that the user invokes by name is replaced by its text. */
  async expand(message: Message): Promise<Message> {
    const invocation = message.origin.kind === 'user' ? invocationIn(message.text, this.#all) : undefined;
    if (!invocation) return message;
    const template = await invocation.invoked.text().catch(noText);
    if (template !== undefined) return { ...message, text: expandPrompt(template, invocation.args) };
    this.#turn.emit({ kind: 'notice', text: `${invocation.invoked.name} cannot be read any more.` });
    return message;
  }
}

function noText(error: unknown): undefined {
  if (!(error instanceof AgentError)) throw error;
}
