import { actionRow, type ChannelKind, command, type StateAction } from '@moorage/protocol';
import { annotationRules } from './annotations.js';
import { changesetRules } from './changeset.js';
import { chatRules } from './chat.js';
import { rootRules } from './root.js';
import { sessionRules } from './session.js';
import { terminalRules } from './terminal.js';
import { type RuleContext, type Rules, reject, type Verdict } from './verdict.js';

export type { RuleContext, Verdict } from './verdict.js';

/** The rule of every action that a client may send, by the kind of its channel. */
const rulesByKind: { readonly [K in ChannelKind]: Rules<K> } = {
  root: rootRules,
  session: sessionRules,
  chat: chatRules,
  terminal: terminalRules,
  annotations: annotationRules,
  changeset: changesetRules,
  // Watches only report: clients send nothing there.
  resourceWatch: {},
};

const rules: ReadonlyMap<string, (action: never, context: never) => Verdict> = new Map(
  Object.values(rulesByKind).flatMap((ofKind) => Object.entries(ofKind)),
);

/** Judges a client's action. One that has no rule, is malformed, or is on the wrong kind of channel is rejected (OQ-20). */
export function judge<K extends ChannelKind>(kind: K, action: StateAction, context: RuleContext<K>): Verdict {
  const row = actionRow(action.type);
  if (!row) return reject(`unknown action type "${action.type}"`);
  if (row.kind !== kind) return reject(`"${action.type}" does not belong on a ${kind} channel`);
  const rule = rules.get(action.type);
  if (!rule) return reject(`"${action.type}" can be sent only by the host`);
  const problem = command(row.schema).explain(action);
  if (problem) return reject(`${problem.path || 'action'}: expected ${problem.expected}`);
  return rule(action as never, context as never);
}
