import { configProblem } from './config-values.js';
import { type Rule, unless } from './verdict.js';

type RootRules = { readonly [T in 'root/configChanged']: Rule<'root', T> };

export const rootRules: RootRules = {
  // Any client may change any host setting that is not read-only (B-97, OQ-39).
  'root/configChanged': (action, { state }) =>
    unless(configProblem(state.config, action, (property) => !property.readOnly)),
};
