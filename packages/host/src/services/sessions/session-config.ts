import type { CreateSessionParams, SessionConfigState } from '@ahpd/protocol';
import { invalidParams } from '../../core/errors.js';
import { configProblem } from '../../core/rules/config-values.js';

/** What can be set for a session that works in a folder, with the values that it was created with. */
export function newSessionConfig({ config = {} }: CreateSessionParams, ofAgent: Properties = {}): SessionConfigState {
  const schema = { ...SCHEMA, properties: { ...ofAgent, ...SCHEMA.properties } };
  const state: SessionConfigState = { schema, values: {} };
  // What this host does not know is left out: a client may have collected it for another one.
  const known = Object.entries(config).filter(([key]) => Object.hasOwn(schema.properties, key));
  const values = Object.fromEntries(known);
  const problem = configProblem(state, { config: values }, () => true);
  if (problem) throw invalidParams(`params/config: ${problem}`);
  return { ...state, values };
}

type Properties = SessionConfigState['schema']['properties'];

const SCHEMA: SessionConfigState['schema'] = {
  type: 'object',
  properties: {
    baseBranch: {
      type: 'string',
      title: 'Base branch',
      description: 'What the branch changeset is measured against; without it the upstream or the default branch.',
      sessionMutable: true,
    },
  },
};
