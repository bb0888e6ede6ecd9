/**
 * How a host speaks to clients of other versions. For moorage's own host: none of this is a promise to other programs, and
 * it changes with the host.
 */
export { dialect04 as nativeDialect } from './0.4/index.js';
export type {
  Change,
  Dialect,
  DialectName,
  Directory,
  Downward,
  EnvelopeRest,
  Notice,
  Subject,
  Told,
  Upward,
  UpwardAction,
  WireDispatch,
} from './dialect.js';
export { type Agreement, dialectOf, negotiate, negotiateVersion } from './negotiate.js';
export { legacyChat } from './shared/legacy-chat.js';
export { reservedNumbers } from './shared/reserved-numbers.js';
export type { WireObject } from './shared/wire.js';
export { dialectV1 as integerDialect } from './v1/index.js';
