export * from './channels/action-table.js';
export * from './channels/action-type.js';
export * from './channels/annotations/actions.js';
export * from './channels/annotations/anchor.js';
export * from './channels/annotations/state.js';
export * from './channels/annotations/uri.js';
export * from './channels/changeset/actions.js';
export * from './channels/changeset/commands.js';
export * from './channels/changeset/state.js';
export * from './channels/changeset/uri.js';
export * from './channels/chat/actions/content.js';
export * from './channels/chat/actions/index.js';
export * from './channels/chat/actions/input.js';
export * from './channels/chat/actions/pending-message.js';
export * from './channels/chat/actions/tool-call.js';
export * from './channels/chat/actions/turn.js';
export * from './channels/chat/attachment.js';
export * from './channels/chat/commands.js';
export * from './channels/chat/confirmation.js';
export * from './channels/chat/input-answer.js';
export * from './channels/chat/input-question.js';
export * from './channels/chat/input-request.js';
export * from './channels/chat/message.js';
export * from './channels/chat/pending-message.js';
export * from './channels/chat/plain-answers.js';
export * from './channels/chat/response-part.js';
export * from './channels/chat/state.js';
export * from './channels/chat/tool-call.js';
export * from './channels/chat/tool-result.js';
export * from './channels/chat/turn.js';
export * from './channels/chat/uri.js';
export * from './channels/kind.js';
export type { ReducerEnv } from './channels/reducer.js';
export * from './channels/registry.js';
export * from './channels/resource-watch/actions.js';
export * from './channels/resource-watch/commands.js';
export * from './channels/resource-watch/state.js';
export * from './channels/resource-watch/uri.js';
export * from './channels/root/actions.js';
export * from './channels/root/commands.js';
export * from './channels/root/model.js';
export * from './channels/root/notifications.js';
export * from './channels/root/state.js';
export * from './channels/root/uri.js';
export * from './channels/session/actions/chats.js';
export * from './channels/session/actions/customizations.js';
export * from './channels/session/actions/lifecycle.js';
export * from './channels/session/actions/summary.js';
export * from './channels/session/actions/tools.js';
export * from './channels/session/active-client.js';
export * from './channels/session/commands.js';
export * from './channels/session/config.js';
export * from './channels/session/customization.js';
export * from './channels/session/customization-base.js';
export * from './channels/session/customization-child.js';
export * from './channels/session/mcp-server.js';
export * from './channels/session/restore.js';
export * from './channels/session/state.js';
export * from './channels/session/summary.js';
export * from './channels/session/uri.js';
export type { SimpleUri } from './channels/simple-uri.js';
export * from './channels/state-action.js';
export * from './channels/telemetry/notifications.js';
export * from './channels/telemetry/state.js';
export {
  parseTelemetryUri,
  type TelemetryLevel,
  type TelemetrySelector,
  telemetryLevels,
  telemetryTemplates,
} from './channels/telemetry/uri.js';
export * from './channels/terminal/actions.js';
export * from './channels/terminal/claim.js';
export * from './channels/terminal/commands.js';
export * from './channels/terminal/state.js';
export { terminalText } from './channels/terminal/text.js';
export * from './channels/terminal/uri.js';
export {
  type ConfigPropertySchema,
  ConfigPropertySchemaSchema,
  type ConfigSchema,
  ConfigSchemaSchema,
} from './common/config-schema.js';
export * from './common/content.js';
export * from './common/error-info.js';
export { ExtensionMeta } from './common/extension-meta.js';
export { fileUri, fileUriIn } from './common/file-uri.js';
export * from './common/icon.js';
export { isObject, type JsonObject } from './common/is-object.js';
export * from './common/protected-resource.js';
export * from './common/selection.js';
export * from './common/status.js';
export * from './common/text.js';
export * from './common/tool-definition.js';
export * from './common/uri.js';
export * from './common/usage.js';
export * from './connection/action.js';
export * from './connection/authentication.js';
export * from './connection/error-data.js';
export * from './connection/errors.js';
export * from './connection/handshake.js';
export * from './connection/json-rpc.js';
export * from './connection/resources.js';
export * from './connection/snapshot.js';
export * from './connection/subscription.js';
export * from './messages.js';
export * from './protocol-version.js';
export { publishedDocuments } from './published.js';
export * from './reduce.js';
export * from './rpc/index.js';
export * from './validation/index.js';
