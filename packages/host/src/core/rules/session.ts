import { judgeConfig } from './config-values.js';
import { ACCEPT, DEFER, type Rules, unless } from './verdict.js';

export const sessionRules: Rules<'session'> = {
  // Any client may name a session (B-112).
  'session/titleChanged': () => ACCEPT,
  // The model of a running turn must not change under it (OQ-37).
  'session/modelChanged': (_action, { busy }) => (busy ? DEFER : ACCEPT),
  'session/agentChanged': (_action, { busy }) => (busy ? DEFER : ACCEPT),
  // Plain flags that any client may set (B-114, B-115).
  'session/isReadChanged': () => ACCEPT,
  'session/isArchivedChanged': () => ACCEPT,
  // One active client at a time; a client claims or releases the role only for itself (B-133, B-134, OQ-67).
  'session/activeClientChanged': ({ activeClient }, { clientId, state }) => {
    const holder = state.activeClient?.clientId;
    if (activeClient === null) return unless(holder !== clientId && 'only the active client can release the role');
    if (activeClient.clientId !== clientId) return unless('a client can claim the role only for itself');
    return unless(holder !== undefined && holder !== clientId && `client "${holder}" is active`);
  },
  // Only the active client may change its tools (B-136).
  'session/activeClientToolsChanged': (_action, { clientId, state }) =>
    unless(state.activeClient?.clientId !== clientId && 'only the active client can change its tools'),
  // Top-level entries can be switched, and MCP servers inside them (B-228, OQ-71).
  'session/customizationToggled': ({ id }, { state }) => {
    const entries = state.customizations ?? [];
    const known =
      entries.some((entry) => entry.id === id) ||
      entries.some(
        (entry) => 'children' in entry && entry.children?.some((c) => c.id === id && c.type === 'mcpServer'),
      );
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
