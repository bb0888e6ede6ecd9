import type { SessionState, Turn, URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { configProblem } from '../../core/rules/config-values.js';
import { type AgentChat, AgentError } from '../../ports/agent.js';
import { FolderError, type Folders } from '../../ports/folders.js';
import type { Sandbox } from '../../ports/sandbox.js';
import type { HostContext } from '../context.js';
import type { McpService } from '../mcp/mcp-service.js';
import { type AgentFolder, agentFiles } from '../resources/agent-files.js';
import { pathOfUri } from '../resources/file-uri.js';
import { confinementOf } from '../sandbox/session-sandbox.js';
import type { SessionService } from '../sessions/session-service.js';
import type { AgentCommands } from './agent-commands.js';
import type { Rewinds } from './rewinds.js';

export interface AgentChatServices {
  readonly sessions: SessionService;
  readonly commands: AgentCommands;
  readonly mcp: McpService;
  readonly rewinds: Rewinds;
  readonly sandbox: Sandbox | undefined;
  /** The chat's turns so far, in the form agents get them. */
  history(): readonly Turn[];
}

/** Opens the agent's side of a chat with the state it saved last time, and has it forget turns truncated since. */
export async function openAgentChat(
  context: HostContext,
  services: AgentChatServices,
  chat: Channel<'chat'>,
  onDied: () => void,
): Promise<AgentChat> {
  const agent = await openSaved(context, services, chat, onDied);
  try {
    await services.rewinds.settle(chat, agent, services.history);
    return agent;
  } catch (error) {
    await agent.dispose();
    throw error;
  }
}

function openSaved(
  context: HostContext,
  { sessions, commands, history, mcp, sandbox }: AgentChatServices,
  chat: Channel<'chat'>,
  onDied: () => void,
): Promise<AgentChat> {
  const { agents, door, ids, clock, log, folders, files } = context;
  const session = sessions.sessionOf(chat);
  const { provider: id } = session.state;
  const provider = agents.get(id);
  if (!provider) throw new AgentError('providerNotFound', `The agent "${id}" is no longer configured on this host.`);
  const [folder, ...others] = chat.state.workingDirectories ?? session.state.workingDirectories ?? [];
  const primary = folder === undefined ? undefined : { named: pathOfUri(folder), real: realFolder(folders, folder) };
  const additional = others.flatMap((other) => usableFolder(folders, other));
  const confine = confinementOf(sandbox, session, () => realFolders(folders, chat, session));
  return provider.openChat({
    session: session.uri,
    chat: chat.uri,
    workingDirectory: primary?.real,
    additionalDirectories: additional.map(({ real }) => real),
    files: agentFiles(files, primary, additional, { keepsGit: confine !== undefined }),
    ...(confine && { confine }),
    mcpServers: mcp.launchesOf(session),
    config: session.state.config?.values ?? {},
    history: history(),
    resumeState: parsed(door.documents.read('agentChat', chat.uri)),
    sessionState: parsed(door.documents.read('agentSession', session.uri)),
    host: {
      saveResumeState: (state) =>
        door.documents.put({
          collection: 'agentChat',
          key: chat.uri,
          session: session.uri,
          json: JSON.stringify(state),
        }),
      saveSessionState: (state) => {
        const json = JSON.stringify(state);
        door.documents.put({ collection: 'agentSession', key: session.uri, session: session.uri, json });
      },
      setTitle: (title, { isRequested = false } = {}) => {
        const { title: current, defaultChat } = session.state;
        // Unasked, an agent titles what its own chat is about; only the default chat is about the whole session.
        if (chat.uri !== defaultChat && !isRequested) return;
        if (sessions.userTitles.has(session.uri) || title === current) return;
        door.commit(session, { type: 'session/titleChanged', title });
      },
      setConfig: (values) => {
        const config = changedValues(session.state.config, values);
        if (config) door.commit(session, { type: 'session/configChanged', config });
      },
      setCommands: (offered) => commands.set(chat.uri, id, offered),
      say: (text, usage) => {
        if (chat.state.activeTurn) return false; // the running turn's own events carry it
        const turnId = ids.next();
        const message = { text: '', origin: { kind: 'systemNotification' as const } };
        const startedAt = new Date(clock.now()).toISOString();
        door.commit(chat, { type: 'chat/turnStarted', turnId, startedAt, message });
        const part = { kind: 'markdown' as const, id: `${turnId}.0`, content: text };
        door.commit(chat, { type: 'chat/responsePart', turnId, part });
        if (usage) door.commit(chat, { type: 'chat/usage', turnId, usage });
        door.commit(chat, { type: 'chat/turnComplete', turnId, duration: 0 });
        return true;
      },
      died: (error) => {
        log.write('warn', 'agent.ended', 'an agent ended by itself', { provider: id, errorType: error.errorType });
        onDied();
      },
    },
  });
}

/** The folders in which a chat works now, without those that are gone. */
export function realFolders(folders: Folders, chat: Channel<'chat'>, session: Channel<'session'>): string[] {
  const named = chat.state.workingDirectories ?? session.state.workingDirectories ?? [];
  return named.flatMap((folder) => usableFolder(folders, folder)).map(({ real }) => real);
}

function parsed(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}

function realFolder(folders: Folders, folder: URI): string {
  try {
    return folders.resolve(folder);
  } catch (cause) {
    if (!(cause instanceof FolderError)) throw cause;
    const message = `The working directory cannot be used: ${cause.message}. Fix that, then send the message again.`;
    throw new AgentError('noFolder', message, { cause });
  }
}

/** A folder that is gone for now does not keep the agent from working in the others. */
function usableFolder(folders: Folders, folder: URI): AgentFolder[] {
  try {
    return [{ named: pathOfUri(folder), real: folders.resolve(folder) }];
  } catch (error) {
    if (error instanceof FolderError) return [];
    throw error;
  }
}

/** The values that the session's settings allow and that differ from the current ones; undefined if none. */
function changedValues(
  config: SessionState['config'],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const news = Object.entries(values).filter(
    ([key, value]) =>
      config?.values[key] !== value &&
      configProblem(config, { config: { [key]: value } }, ({ sessionMutable }) => sessionMutable === true) ===
        undefined,
  );
  return news.length > 0 ? Object.fromEntries(news) : undefined;
}
