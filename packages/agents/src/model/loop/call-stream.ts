import type { AgentTurn } from '@moorage/host/ports';
import { ExtensionMeta } from '@moorage/protocol';
import type { AnswerListener } from '../endpoint/ask-model.js';
import type { ModelTool } from '../tools/tool.js';
import type { McpTools } from './mcp-tools.js';

/** UTF-16 units of a tool name, which the model may have made up. */
const MAX_NAME_CHARS = 64;

/** Shows an answer while it arrives. Calls of client and MCP tools are shown by the host itself. */
export class CallStream implements AnswerListener {
  readonly #turn: AgentTurn;
  readonly #tools: ReadonlyMap<string, ModelTool>;
  readonly #step: number;
  readonly #foreign: ReadonlySet<string>;
  readonly #started = new Set<number>();
  /** What was said, even if the answer breaks off. */
  said = '';

  constructor(turn: AgentTurn, tools: ReadonlyMap<string, ModelTool>, mcp: McpTools, step: number) {
    this.#turn = turn;
    this.#tools = tools;
    this.#step = step;
    this.#foreign = new Set([...turn.clientTools.map(({ name }) => name), ...mcp.keys()]);
  }

  idOf(index: number): string {
    return `${this.#turn.turnId}.${this.#step}.${index}`;
  }

  text(text: string): void {
    this.said += text;
    this.#turn.emit({ kind: 'text', text });
  }

  reasoning(text: string): void {
    this.#turn.emit({ kind: 'reasoning', text });
  }

  callStart(index: number, name: string): void {
    const tool = this.#tools.get(name);
    if (this.#started.has(index) || (!tool && this.#foreign.has(name))) return;
    this.#started.add(index);
    const toolName = name.slice(0, MAX_NAME_CHARS) || 'unknown';
    const meta = {
      ...(tool?.isReadOnly && { [ExtensionMeta.readOnlyHint]: true }),
      ...(tool?.kind && { toolKind: tool.kind }),
    };
    const identity = { toolCallId: this.idOf(index), toolName, displayName: tool?.displayName ?? toolName };
    this.#turn.emit({ kind: 'toolCallStart', ...identity, ...(Object.keys(meta).length > 0 && { meta }) });
  }

  callInput(index: number, text: string): void {
    if (text === '' || !this.#started.has(index)) return;
    this.#turn.emit({ kind: 'toolCallInput', toolCallId: this.idOf(index), text });
  }
}
