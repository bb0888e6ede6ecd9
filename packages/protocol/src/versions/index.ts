/**
 * How a host speaks to clients of other versions. For moorage's own host: none of this is a promise to other programs, and
 * it changes with the host.
 */
export { dialect10 as nativeDialect } from './1.0/index.js';
export type {
  AddressedAction,
  Change,
  Dialect,
  DialectName,
  Directory,
  Downward,
  EnvelopeRest,
  Notice,
  SessionRef,
  Subject,
  Translated,
  Upward,
  UpwardAction,
  WireDispatch,
} from './dialect.js';
export { type LiftContext, liftAction, liftState, liftSummary } from './lift.js';
export {
  type Agreement,
  type Disagreement,
  dialectOf,
  negotiate,
  negotiateVersion,
  supportedRanges,
  supportedVersions,
} from './negotiate.js';
export { reduceAs } from './reduce-as.js';
export { legacyChat } from './shared/legacy-chat.js';
export { reservedNumbers } from './shared/reserved-numbers.js';
export type { WireAction, WireObject } from './shared/wire.js';
export { dialectV1 as integerDialect } from './v1/index.js';
