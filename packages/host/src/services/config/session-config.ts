import type { SessionConfigState } from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import { configProblem } from '../../core/rules/config-values.js';
import { type Isolation, knownValues, type SchemaFacts, sessionSchema } from './session-schema.js';

/** The settings of a new session and their initial values. */
export function newSessionConfig(given: GivenSettings, facts: SchemaFacts): SessionConfigState {
  const schema = sessionSchema(facts);
  const values = checkedValues(schema, given);
  const { isolation, onEnd } = facts.git ?? {};
  const { mode: sandbox } = facts.sandbox ?? {};
  // Values that the host itself decided are shown from the start; of the others only those that were given.
  const decided = {
    ...(isolation && { isolation }),
    ...(isolation === 'worktree' && { worktreeOnEnd: onEnd }),
    ...(sandbox && { sandbox }),
  };
  return { schema, values: { ...decided, ...values } };
}

/** The settings that a client gave for a new session. */
export interface GivenSettings {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether the client is a program of this project, which wants to hear of its mistakes. */
  readonly isOurs: boolean;
}

/**
 * The settings that a client gave, in our words. VS Code sends values of its own with every new session, before it knows
 * which there are (V-41): its `folder` is our `workspace`, and a place that we do not have is as good as none.
 */
export function givenSettings(values: Readonly<Record<string, unknown>> = {}, isOurs: boolean): GivenSettings {
  const { isolation, ...others } = values;
  if (isOurs || isolation === undefined || isolation === 'workspace' || isolation === 'worktree') {
    return { values, isOurs };
  }
  return { values: isolation === 'folder' ? { ...others, isolation: 'workspace' } : others, isOurs };
}

/** The given values that the schema has. One that does not fit is an error in a program of ours, and ignored in others. */
export function checkedValues(
  schema: SessionConfigState['schema'],
  { values: given, isOurs }: GivenSettings,
): Record<string, unknown> {
  const values = knownValues(schema, given);
  const problemOf = (config: Readonly<Record<string, unknown>>) =>
    configProblem({ schema, values: {} }, { config }, () => true);
  const problem = problemOf(values);
  if (problem === undefined) return values;
  if (isOurs) throw invalidParams(`params/config: ${problem}`);
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => problemOf({ [key]: value }) === undefined));
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
