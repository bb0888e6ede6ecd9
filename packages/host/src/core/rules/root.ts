import { configProblem } from './config-values.js';
import { type Rules, unless } from './verdict.js';

export const rootRules: Rules<'root'> = {
  // Any client may change any host setting that is not read-only (B-97, OQ-39).
  'root/configChanged': (action, { state }) =>
    unless(configProblem(state.config, action, (property) => !property.readOnly)),
};
