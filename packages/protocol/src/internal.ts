/** What moorage's own packages share. None of it is a promise to other programs: it comes and goes as they need it. */
export { type Steering, steeringOf, steeringPart } from './channels/chat/steering.js';
export { hostsThatFit, type PlacedHost } from './channels/root/placement.js';
export { listedChats } from './channels/session/listed-chats.js';
export { simpleUri } from './channels/simple-uri.js';
export { isTelemetryUri } from './channels/telemetry/uri.js';
export { QueryFilter, type TerminalQuery, withoutQueries } from './channels/terminal/queries.js';
export { escapedPath } from './common/file-uri.js';
export { Type } from './common/type.js';
export { lineReader } from './rpc/line-reader.js';
export { EncodedJson } from './rpc/peer.js';
export { closeInfo } from './rpc/transport.js';
export { stripNulls } from './validation/validator.js';
