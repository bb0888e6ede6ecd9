import { type McpServerCustomization, type SessionState, SessionStatus } from '@moorage/protocol';
import { judgeConfig } from './config-values.js';
import { type Holder, mayAdd, mayRemove, mayReplace } from './folders.js';
import { ACCEPT, CONFIRM, IGNORE, type RuleContext, type Rules, reject, unless } from './verdict.js';

export const sessionRules: Rules<'session'> = {
  // Any client may name a session (B-112).
  'session/titleChanged': () => ACCEPT,
  // Plain flags that any client may set (B-114, B-115).
  'session/isReadChanged': () => ACCEPT,
  'session/isArchivedChanged': () => ACCEPT,
  // A client is active, and stops being so, only in its own name (B-133, B-134, B-136, OQ-67).
  'session/activeClientSet': ({ activeClient }, { clientId, isVscode, state }) => {
    if (activeClient.clientId !== clientId) return reject('a client can be active only in its own name');
    const known = state.activeClients.find((client) => client.clientId === clientId);
    if (JSON.stringify(known) !== JSON.stringify(activeClient)) return ACCEPT;
    return isVscode ? IGNORE : CONFIRM; // VS Code says it again at every echo (V-21)
  },
  'session/activeClientRemoved': (action, { clientId, state }) =>
    unless(
      (action.clientId !== clientId && 'a client can end only its own part in a session') ||
        (!state.activeClients.some((client) => client.clientId === clientId) && 'this client is not active'),
    ),
  // Folders besides the first one, if the agent has `multipleWorkingDirectories`.
  'session/workingDirectorySet': ({ directory }, context) => mayAdd(directory, foldersOf(context)),
  'session/workingDirectoryRemoved': ({ directory }, context) => mayRemove(directory, foldersOf(context)),
  'session/workingDirectoryReplaced': ({ directory, replacement }, context) =>
    mayReplace(directory, replacement, foldersOf(context)),
  'session/mcpServerStartRequested': ({ id }, { state }) => unless(!findServer(state, id) && noServer(id)),
  'session/mcpServerStopRequested': ({ id }, { state }) => unless(!findServer(state, id) && noServer(id)),
  'session/mcpServerBackgroundRequested': ({ id }, { state }) =>
    unless(findServer(state, id)?.state.kind !== 'starting' && `MCP server "${id}" is not starting`),
  // Top-level entries can be switched, and what is inside them (B-228, OQ-71).
  'session/customizationToggled': ({ id }, { state }) => {
    const entries = state.customizations ?? [];
    const known =
      entries.some((entry) => entry.id === id) ||
      entries.some((entry) => 'children' in entry && entry.children?.some((child) => child.id === id));
    return unless(!known && `there is no customization "${id}" that can be switched`);
  },
  // Only settings that are declared changeable after creation (B-327, OQ-39).
  'session/configChanged': (action, { state, isOurs }) =>
    judgeConfig(state.config, action, {
      mayChange: (property) => property.sessionMutable === true && !property.readOnly,
      isOurs,
    }),
  // The default chat must be one of the session's catalogue (D-6).
  'session/defaultChatChanged': ({ defaultChat }, { state }) =>
    unless(!state.chats.some((chat) => chat.resource === defaultChat) && 'that chat is not in the session'),
};

function foldersOf({ state, foldersProblem }: RuleContext<'session'>): Holder {
  return {
    folders: state.workingDirectories ?? [],
    isBusy:
      state.lifecycle === 'creating' || state.chats.some(({ status }) => (status & SessionStatus.InProgress) !== 0),
    problem: foldersProblem,
  };
}

function noServer(id: string): string {
  return `there is no MCP server "${id}"`;
}

function findServer({ customizations = [] }: SessionState, id: string): McpServerCustomization | undefined {
  return customizations
    .flatMap((entry) => (entry.type === 'mcpServer' ? [entry] : (entry.children ?? [])))
    .find((entry): entry is McpServerCustomization => entry.type === 'mcpServer' && entry.id === id);
}
