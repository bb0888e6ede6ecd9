import { dialect02 } from './0.2/index.js';
import { dialect03 } from './0.3/index.js';
import { dialect10 } from './1.0/index.js';
import { chainedDialect } from './chained-dialect.js';
import { chain04, chain06, chain07, chain09, chain050, chain051, chain052 } from './chains.js';
import type { Dialect, DialectName } from './dialect.js';
import { dialect01, dialectV1 } from './v1/index.js';

/** Every version that a host can speak. */
export const dialects: { readonly [N in DialectName]: Dialect } = {
  '1.0': dialect10,
  '0.9': chainedDialect('0.9', chain09),
  '0.7': chainedDialect('0.7', chain07),
  '0.6': chainedDialect('0.6', chain06),
  '0.5.2': chainedDialect('0.5.2', chain052),
  '0.5.1': chainedDialect('0.5.1', chain051),
  '0.5.0': chainedDialect('0.5.0', chain050),
  '0.4': chainedDialect('0.4', chain04),
  '0.3': dialect03,
  '0.2': dialect02,
  '0.1': dialect01,
  v1: dialectV1,
};
