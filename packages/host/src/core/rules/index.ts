import {
  type AutomationDefinition,
  actionRow,
  type ChannelKind,
  command,
  type StateAction,
  type URI,
} from '@moorage/protocol';
import { type Authorize, allowAll } from '../../ports/authorize.js';
import type { Channel } from '../channel.js';
import type { ChannelTable } from '../channel-table.js';
import type { Subscriber } from '../delivery.js';
import { tooLarge } from '../keeping.js';
import { annotationRules } from './annotations.js';
import { automationRules, automationRunRules } from './automation.js';
import { changesetRules } from './changeset.js';
import { chatRules } from './chat.js';
import { rootRules } from './root.js';
import { sessionRules } from './session.js';
import { terminalRules } from './terminal.js';
import { type RuleContext, type Rules, reject, type Verdict } from './verdict.js';

export type { Verdict } from './verdict.js';

/** The protected resources that a session's agent requires and for which the sender has given no token. */
export type MissingTokens = (sender: Subscriber, session: Channel<'session'>) => readonly string[];

/** Why the agent of a session cannot work in these folders together; undefined if it can. */
export type FoldersProblem = (provider: string, folders: readonly URI[]) => string | undefined;

/** Why there can be no such automation; undefined if there can. */
export type AutomationProblem = (definition: AutomationDefinition, runCount: number) => string | undefined;

/** Applies the rules to a client's action, and supplies them with the parts of the host that a rule may look at. */
export class Judge {
  /** Set when the door is connected to the service that keeps tokens. */
  missingTokens: MissingTokens = () => [];
  /** Set when the door is connected to the service that makes sessions. */
  foldersProblem: FoldersProblem = () => undefined;
  /** Set when the door is connected to the service that has automations. */
  automationProblem: AutomationProblem = () => 'this host has no automations';
  authorize: Authorize = allowAll;
  readonly #channels: ChannelTable;

  constructor(channels: ChannelTable) {
    this.#channels = channels;
  }

  decide(sender: Subscriber, channel: Channel, action: StateAction): Verdict {
    const holder = this.#channels.sessionOf(channel);
    const session = holder?.state;
    const problem =
      malformed(channel.kind, action) ?? this.authorize(sender, { kind: 'action', channel: channel.uri, action });
    if (problem !== undefined) return reject(problem);
    const verdict = applyRule(action, {
      clientId: sender.clientId,
      isOurs: sender.isOurs,
      isVscode: sender.isVscode,
      state: channel.state,
      session,
      hasTurnElsewhere: (turnId) => this.#channels.chatWithTurn(session, turnId, channel.uri) !== undefined,
      hasSession: (candidate) => this.#channels.find('session', candidate) !== undefined,
      foldersProblem: (folders) => this.foldersProblem(session?.provider ?? '', folders),
      automationProblem: (definition, runCount) => this.automationProblem(definition, runCount),
      missingTokens: () => (holder ? this.missingTokens(sender, holder) : []),
    });
    const size = verdict.kind === 'accept' ? tooLarge(channel, action) : undefined;
    return size === undefined ? verdict : reject(size);
  }
}

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
  automation: automationRules,
  automationRun: automationRunRules,
};

const rules: ReadonlyMap<string, (action: never, context: never) => Verdict> = new Map(
  Object.values(rulesByKind).flatMap((ofKind) => Object.entries(ofKind)),
);

/** The types of all actions that a client may send. */
export const clientActions: readonly string[] = [...rules.keys()];

/** Why an action cannot be judged at all: it has no rule, is malformed, or is on the wrong kind of channel (OQ-20). */
function malformed(kind: ChannelKind, action: StateAction): string | undefined {
  const row = actionRow(action.type);
  if (!row) return `unknown action type "${action.type}"`;
  if (row.kind !== kind) return `"${action.type}" does not belong on a ${kind} channel`;
  if (!rules.has(action.type)) return `"${action.type}" can be sent only by the host`;
  const problem = command(row.schema).explain(action);
  return problem && `${problem.path || 'action'}: expected ${problem.expected}`;
}

function applyRule<K extends ChannelKind>(action: StateAction, context: RuleContext<K>): Verdict {
  const rule = rules.get(action.type);
  return rule ? rule(action as never, context as never) : reject(`"${action.type}" can be sent only by the host`);
}
