import type { AgentChatOptions, AgentTurn } from '@moorage/host/ports';
import { fields } from '../../shared/untrusted.js';
import { type AcpAgentConfig, nameOf } from '../config.js';

const TRUST = 'trust';

/**
 * Whether the user trusts the session's folder, for an agent that runs MCP servers only in folders that are trusted. The user
 * is asked once in a session, and only if it has servers.
 */
export class FolderTrust {
  readonly #agent: AcpAgentConfig;
  readonly #chat: Pick<AgentChatOptions, 'sessionState' | 'mcpServers' | 'workingDirectory' | 'host'>;
  #isTrusted: boolean | undefined;

  constructor(agent: AcpAgentConfig, chat: AgentChatOptions) {
    this.#agent = agent;
    this.#chat = chat;
    const { isTrusted } = fields(chat.sessionState);
    this.#isTrusted = typeof isTrusted === 'boolean' ? isTrusted : undefined;
  }

  /** The variables that tell the agent; none if it is not trusted. */
  get env(): Readonly<Record<string, string>> {
    return this.#isTrusted ? (this.#agent.trustEnv ?? {}) : {};
  }

  async ask(turn: AgentTurn): Promise<void> {
    const { mcpServers, workingDirectory, host } = this.#chat;
    if (!this.#agent.trustEnv || this.#isTrusted !== undefined || mcpServers.length === 0) return;
    const servers = mcpServers.map(({ name }) => name).join(', ');
    const message = `Do you trust the files in ${workingDirectory ?? 'this folder'}? ${nameOf(this.#agent)} uses MCP servers (${servers}) only in a folder that you trust; it then also follows settings and instructions that it finds there.`;
    const questions = [{ id: TRUST, kind: 'boolean' as const, message, required: true }];
    const outcome = await turn.ask({ id: `${turn.turnId}.trust`, message, questions });
    if (outcome.response === 'cancel') return; // asked again with the next message
    const answer = outcome.response === 'accept' ? outcome.answers[TRUST] : undefined;
    this.#isTrusted = answer?.state === 'submitted' && answer.value.kind === 'boolean' && answer.value.value;
    host.saveSessionState({ isTrusted: this.#isTrusted });
    if (this.#isTrusted) return;
    turn.emit({
      kind: 'notice',
      text: `${nameOf(this.#agent)} works without MCP servers, because you do not trust the folder.`,
    });
  }
}
