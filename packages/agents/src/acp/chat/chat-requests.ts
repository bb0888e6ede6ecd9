import * as acp from '@agentclientprotocol/sdk';
import type { AgentFiles } from '@moorage/host/ports';
import { fields, text } from '../../shared/untrusted.js';
import type { AgentRequests } from '../connection/connection.js';
import { elicitationAnswer, inputRequest } from '../mapping/elicitation.js';
import { permissionQuestions, questionsAnswer } from '../mapping/permission-questions.js';
import type { ActiveTurn } from './active-turn.js';

export interface RequestsOptions {
  readonly files: AgentFiles;
  /** For updates that concern the session rather than a turn. */
  onSessionUpdate(update: unknown): void;
  /** The agent talks although no turn is running. */
  onLateWords(words: string): void;
}

/** Serves an agent's requests, through the running turn and within the session's folder. */
export class ChatRequests implements AgentRequests {
  active: ActiveTurn | undefined;
  /** The agent is repeating what was said before, which nobody needs to hear twice. */
  isReplaying = false;
  /** The agent's id for this chat, once it has one. Updates of its other sessions are ignored. */
  sessionId: string | undefined;
  readonly #options: RequestsOptions;
  #questions = 0;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** Resolves when the next message may be handled; undefined means at once. */
  update(params: unknown): Promise<void> | undefined {
    const { update, sessionId } = fields(params);
    if (!this.isReplaying && this.sessionId !== undefined && sessionId !== this.sessionId) return undefined;
    this.#options.onSessionUpdate(update);
    if (this.isReplaying) return undefined;
    if (this.active) return this.active.report(fields(update));
    const { sessionUpdate, content } = fields(update);
    const words = sessionUpdate === 'agent_message_chunk' ? text(fields(content).text) : undefined;
    if (words) this.#options.onLateWords(words);
    return undefined;
  }

  async permission(
    params: acp.RequestPermissionRequest,
    withdrawn: AbortSignal,
  ): Promise<acp.RequestPermissionResponse> {
    const { active } = this;
    if (!active) return { outcome: { outcome: 'cancelled' } };
    const questions = permissionQuestions(`question-${++this.#questions}`, params);
    if (questions) {
      const id = `${active.turn.turnId}.${questions.id}`;
      return active.whileWaiting(async () =>
        questionsAnswer(await active.turn.ask({ ...questions, id }, withdrawn), params.options),
      );
    }
    return active.whileWaiting(() => active.approvals.ask(params, withdrawn));
  }

  async elicitation(
    params: acp.CreateElicitationRequest,
    withdrawn: AbortSignal,
  ): Promise<acp.CreateElicitationResponse> {
    const { active } = this;
    const request = inputRequest(`question-${++this.#questions}`, params);
    if (!active || !request) return { action: active ? 'decline' : 'cancel' };
    const id = `${active.turn.turnId}.${request.id}`;
    return active.whileWaiting(async () => elicitationAnswer(await active.turn.ask({ ...request, id }, withdrawn)));
  }

  async readFile({ path, line, limit }: acp.ReadTextFileRequest): Promise<acp.ReadTextFileResponse> {
    const { content: file } = await this.#options.files.read(path);
    if (!file) throw acp.RequestError.resourceNotFound(path);
    const content = Buffer.from(file.bytes).toString();
    if (!line && !limit) return { content };
    const from = Math.max(0, (line ?? 1) - 1);
    const lines = content.split(/(?<=\n)/);
    return { content: lines.slice(from, limit ? from + limit : undefined).join('') };
  }

  async writeFile({ path, content }: acp.WriteTextFileRequest): Promise<acp.WriteTextFileResponse> {
    await this.#options.files.write(path, Buffer.from(content));
    return {};
  }

  createTerminal(params: acp.CreateTerminalRequest): Promise<acp.CreateTerminalResponse> {
    const { turn, terminals } = this.#current();
    return terminals.create(turn, params);
  }

  terminalOutput({ terminalId }: acp.TerminalOutputRequest): acp.TerminalOutputResponse {
    return this.#using(terminalId).terminals.output(terminalId);
  }

  waitForTerminal({ terminalId }: acp.WaitForTerminalExitRequest): Promise<acp.WaitForTerminalExitResponse> {
    const active = this.#using(terminalId);
    return active.whileWaiting(() => active.terminals.wait(terminalId));
  }

  killTerminal({ terminalId }: acp.KillTerminalRequest): void {
    this.#using(terminalId).terminals.kill(terminalId);
  }

  releaseTerminal({ terminalId }: acp.ReleaseTerminalRequest): void {
    this.#using(terminalId).terminals.release(terminalId);
  }

  /** An agent that goes on with a command and has shown it in no call will not do so any more. */
  #using(terminalId: string): ActiveTurn {
    const active = this.#current();
    active.showCommands(terminalId);
    return active;
  }

  #current(): ActiveTurn {
    if (!this.active) throw new Error('no turn is running: commands can be run only in one');
    return this.active;
  }
}
