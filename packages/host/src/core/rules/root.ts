import { configProblem } from './config-values.js';
import { type Rules, unless } from './verdict.js';

export const rootRules: Rules<'root'> = {
  // Every setting of the host that is not read-only may be changed by any client (B-97, OQ-39).
  'root/configChanged': (action, { state }) =>
    unless(configProblem(state.config, action, (property) => !property.readOnly)),
};
