import type { SessionConfigState } from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import { configProblem } from '../../core/rules/config-values.js';
import { type Isolation, knownValues, type SchemaFacts, sessionSchema } from './session-schema.js';

/** The settings of a new session and their initial values. */
export function newSessionConfig(given: Readonly<Record<string, unknown>>, facts: SchemaFacts): SessionConfigState {
  const schema = sessionSchema(facts);
  const values = knownValues(schema, given);
  assertValues(schema, values);
  const { isolation, onEnd } = facts.git ?? {};
  // Values that the host itself decided are shown from the start; of the others only those that were given.
  const decided = { ...(isolation && { isolation }), ...(isolation === 'worktree' && { worktreeOnEnd: onEnd }) };
  return { schema, values: { ...decided, ...values } };
}

/** What VS Code sends with every new session before it knows which settings there are. */
const FOREIGN_DEFAULTS: Readonly<Record<string, unknown>> = {
  isolation: 'folder',
  autoApprove: 'default',
  mode: 'interactive',
};

/** The given values without those that a client sends blindly and that mean nothing here. */
export function withoutForeignDefaults(
  given: Readonly<Record<string, unknown>>,
  ofAgent: SessionConfigState['schema']['properties'] = {},
): Record<string, unknown> {
  const means = ([key, value]: [string, unknown]) =>
    !Object.hasOwn(FOREIGN_DEFAULTS, key) ||
    FOREIGN_DEFAULTS[key] !== value ||
    (Object.hasOwn(ofAgent, key) && ofAgent[key]?.enum?.includes(String(value)));
  return Object.fromEntries(Object.entries(given).filter(means));
}

export function assertValues(schema: SessionConfigState['schema'], values: Readonly<Record<string, unknown>>): void {
  const problem = configProblem({ schema, values: {} }, { config: values }, () => true);
  if (problem) throw invalidParams(`params/config: ${problem}`);
}

/** Where a session works: as requested, else as the host is configured if that is possible. */
export function chosenIsolation(
  given: Readonly<Record<string, unknown>>,
  usual: Isolation,
  whyNot: string | undefined,
): Isolation {
  const { isolation } = given;
  if (isolation === undefined) return whyNot === undefined ? usual : 'workspace';
  if (isolation !== 'workspace' && isolation !== 'worktree') {
    throw invalidParams('params/config: setting "isolation": expected one of workspace, worktree');
  }
  if (isolation === 'worktree' && whyNot !== undefined) {
    throw invalidParams(`params/config: setting "isolation": there can be no work tree: ${whyNot}`);
  }
  return isolation;
}
