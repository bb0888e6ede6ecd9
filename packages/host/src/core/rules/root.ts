import { judgeConfig } from './config-values.js';
import type { Rules } from './verdict.js';

export const rootRules: Rules<'root'> = {
  // Any client may change any host setting that is not read-only (B-97, OQ-39).
  'root/configChanged': (action, { state, isOurs }) =>
    judgeConfig(state.config, action, { mayChange: (property) => !property.readOnly, isOurs }),
};
