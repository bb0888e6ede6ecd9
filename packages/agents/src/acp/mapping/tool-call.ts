import { basename } from 'node:path';
import type { AgentEvent, ToolCallDescription, ToolCallIdentity } from '@moorage/host/ports';
import type { FileEdit, ToolCallResult, ToolResultContent } from '@moorage/protocol';
import { count, type Fields, fields, json, label, list, text } from '../../shared/untrusted.js';
import { diffsOf, passedOn, rawText, toolContent } from './content.js';
import { fileEdit } from './file-edit.js';
import { MAX_OUTPUT_CHARS } from './limits.js';
import { contributorOf } from './mcp-contributor.js';
import type { MappingPorts } from './ports.js';

/** Open: announced but not running. Asked: waiting for the user's decision. Denied and done are final. */
type Stage = 'open' | 'running' | 'asked' | 'denied' | 'done';

/** One tool call. Agents report calls in any order and in any pieces; the host gets start, running, end. */
export class ToolCall {
  readonly identity: ToolCallIdentity;
  readonly kind: string;
  readonly #ports: MappingPorts;
  #stage: Stage = 'open';
  #title: string;
  #input: string | undefined;
  /** As the agent last sent it; each list replaces the one before. */
  #content: readonly unknown[] = [];
  /** The output of a command, which some agents send in pieces besides the content. */
  #output = '';
  /** The edits that the user was asked about, which some agents do not repeat in the result. */
  #asked: FileEdit[] = [];
  #wasAsked = false;
  #shown = '';

  constructor(toolCallId: string, first: Fields, ports: MappingPorts) {
    this.#ports = ports;
    this.kind = label(first.kind) ?? 'other';
    const meta = fields(first._meta);
    const toolName = label(first.name) ?? label(fields(meta.claudeCode).toolName) ?? label(meta.toolName);
    this.#title = label(first.title) ?? toolName ?? this.kind;
    const contributor = contributorOf([toolName, label(first.title)], ports.mcp);
    this.identity = {
      toolCallId,
      toolName: toolName ?? this.#title,
      displayName: this.#title,
      ...(contributor && { contributor }),
      meta: { toolKind: this.kind === 'execute' ? 'terminal' : this.kind }, // as VS Code names it (V-31)
    };
  }

  get stage(): Stage {
    return this.#stage;
  }

  /** As the agent last sent it. */
  get content(): readonly unknown[] {
    return this.#content;
  }

  get isOver(): boolean {
    return this.#stage === 'denied' || this.#stage === 'done';
  }

  /** Whether the user was asked about it, or it is over: a further question must not be answered by what was said then. */
  get isSettled(): boolean {
    return this.#wasAsked || this.isOver;
  }

  /** How the call is described to users now. */
  get description(): ToolCallDescription {
    return {
      toolCallId: this.identity.toolCallId,
      invocationMessage: this.#words,
      ...(this.#input !== undefined && { toolInput: this.#input }),
    };
  }

  /** What the call does. Some agents only describe a command in its title, but people decide about the command itself. */
  get #words(): string {
    const command = this.kind === 'execute' ? text(fields(parsed(this.#input)).command)?.trim() : undefined;
    if (!command || this.#title.includes(command)) return this.#title;
    return label(`${this.#title}: ${command}`) ?? this.#title;
  }

  /** All that the user decides about, as one text: an answer counts for exactly this. */
  get question(): string {
    return JSON.stringify([this.description, this.#content]);
  }

  start(): AgentEvent {
    return { kind: 'toolCallStart', ...this.identity };
  }

  /** Takes an update and returns the events that follow from it. */
  update(update: Fields): AgentEvent[] {
    if (this.isOver) return [];
    const wordsChanged = this.#take(update);
    const { status } = update;
    if (status === 'completed' || status === 'failed') {
      // Some agents report every command that ran as a success, whatever its exit code.
      const hasFailed = this.kind === 'execute' && (exitCodeOf(update) ?? 0) !== 0;
      return this.#finish(update, status === 'completed' && !hasFailed);
    }
    const events: AgentEvent[] = [];
    // Content that comes with input says what is about to be done; content alone is a result.
    const hasOutput = outputOf(update) !== '' || ('content' in update && update.rawInput === undefined);
    if (status === 'in_progress' || (hasOutput && status !== 'pending')) events.push(...this.#run());
    const { toolCallId } = this.identity;
    if (this.#stage === 'open' && wordsChanged) {
      events.push({ kind: 'toolCallInput', toolCallId, text: '', progress: this.#words });
    }
    if (this.#stage !== 'running') return events;
    const content = this.#currentContent();
    const shown = JSON.stringify([this.#output, this.#content]);
    if (content.length === 0 || shown === this.#shown) return events;
    this.#shown = shown;
    return [...events, { kind: 'toolCallContent', toolCallId, content }];
  }

  /** The user will be asked. Returns the edits that the call would make. */
  ask(request: Fields): FileEdit[] {
    // What the request says counts; what only the call said before is shown too.
    const own = fields(parsed(this.#input));
    const asked = fields(request.rawInput);
    const isObject = Object.keys(own).length > 0 && Object.keys(asked).length > 0;
    this.#take(isObject ? { ...request, rawInput: { ...own, ...asked } } : request);
    // Some agents say what they are about to do only in words, or in a title that is too long to be shown as one.
    const title = text(request.title)?.trim();
    this.#input ??= resultText(toolContent(this.#content, this.#ports)) ?? (title !== this.#title ? title : undefined);
    this.#wasAsked = true;
    this.#stage = 'asked';
    this.#asked = diffsOf(this.#content).map((diff) => fileEdit(diff, this.#ports));
    return this.#asked;
  }

  /** The same call as another one, to ask about it anew. */
  again(toolCallId: string): ToolCall {
    const first = { kind: this.kind, name: this.identity.toolName, title: this.#title };
    const call = new ToolCall(toolCallId, first, this.#ports);
    call.#input = this.#input;
    call.#content = this.#content;
    return call;
  }

  decided(approved: boolean): void {
    if (this.#stage === 'asked') this.#stage = approved ? 'running' : 'denied';
  }

  /** The turn is over and the agent has left the call open. */
  close(success: boolean, message: string): AgentEvent[] {
    if (this.isOver || this.#stage === 'asked') return [];
    return this.#result(success, success ? undefined : { message });
  }

  /** Returns whether what the call does is said differently now. */
  #take(update: Fields): boolean {
    const before = this.#words;
    this.#title = label(update.title) ?? this.#title;
    this.#input = json(update.rawInput) ?? this.#input;
    if (Array.isArray(update.content)) this.#content = list(update.content);
    this.#output = (this.#output + outputOf(update)).slice(-MAX_OUTPUT_CHARS);
    return this.#words !== before;
  }

  #run(): AgentEvent[] {
    if (this.#stage !== 'open') return [];
    this.#stage = 'running';
    return [{ kind: 'toolCallRunning', ...this.description }];
  }

  #finish(update: Fields, success: boolean): AgentEvent[] {
    const said = rawText(update.rawOutput);
    if (this.#content.length === 0) this.#content = passedOn(update.rawOutput);
    if (this.#currentContent().length === 0 && said) this.#output = said.slice(-MAX_OUTPUT_CHARS);
    const code = exitCodeOf(update);
    const message = label(said ?? resultText(this.#currentContent())) ?? failedWith(code);
    return this.#result(success, success ? undefined : { message, ...(code && { code: 'exitCode' }) });
  }

  #result(success: boolean, error: ToolCallResult['error']): AgentEvent[] {
    const events = this.#run();
    this.#stage = 'done';
    const content = this.#currentContent();
    const others = content.filter(({ type }) => type !== 'fileEdit');
    // The edits that the user approved have whole files; results often have only the changed lines.
    const asked = this.#asked.map((edit) => ({ type: 'fileEdit' as const, ...edit }));
    const shown = !success ? others : asked.length > 0 ? [...others, ...asked] : content;
    events.push({
      kind: 'toolCallDone',
      toolCallId: this.identity.toolCallId,
      result: {
        success,
        pastTenseMessage: this.#isUnnamed ? this.#done : this.#words,
        ...(shown.length > 0 && { content: shown }),
        ...(error && { error }),
      },
    });
    return events;
  }

  /** Some agents never give a call another title than the one it had before they knew what it would do. */
  get #isUnnamed(): boolean {
    return /^preparing\b.*(\.\.\.|…)$/i.test(this.#title);
  }

  get #done(): string {
    const input = fields(parsed(this.#input));
    const paths = [
      ...diffsOf(this.#content).map((diff) => fields(diff).path),
      input.file_path,
      input.filePath,
      input.path,
    ];
    const path = paths.map((one) => label(one)).find((one) => one !== undefined);
    const what = this.identity.toolName === this.#title ? this.kind : this.identity.toolName;
    return path === undefined ? what : `${what} ${basename(path)}`;
  }

  #currentContent(): ToolResultContent[] {
    const content = toolContent(this.#content, this.#ports);
    return this.#output === '' ? content : [...content, { type: 'text', text: this.#output }];
  }
}

function parsed(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined; // an input that is plain text
  }
}

/** Output of a command that an agent sends in pieces besides the content. */
function outputOf(update: Fields): string {
  const meta = fields(update._meta);
  return text(fields(meta.terminal_output_delta).data) ?? text(fields(meta.terminal_output).data) ?? '';
}

/** The exit code of a command, from wherever agents put it. */
function exitCodeOf({ rawOutput, _meta }: Fields): number | undefined {
  const { exit_code, metadata } = fields(rawOutput);
  return count(exit_code) ?? count(fields(metadata).exit) ?? count(fields(fields(_meta).terminal_exit).exit_code);
}

function failedWith(exitCode: number | undefined): string {
  return exitCode === undefined ? 'The tool failed.' : `The command ended with exit code ${exitCode}.`;
}

function resultText(content: readonly ToolResultContent[]): string | undefined {
  return content.find((item) => item.type === 'text')?.text;
}
