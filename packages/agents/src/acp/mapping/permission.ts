import type { RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import type { ToolDecision } from '@moorage/host/ports';
import type { ConfirmationOption } from '@moorage/protocol';
import { fields, label, list, text } from '../../shared/untrusted.js';
import { MAX_CHOICES, MAX_ID_CHARS } from './limits.js';

/** The options that the agent offers the user, those that commit the user least first. */
export function confirmationOptions(options: unknown): ConfirmationOption[] {
  const offered = understood(options);
  return KINDS.flatMap(({ kind, effect, isAllow }) =>
    offered
      .filter((option) => option.kind === kind)
      .map(({ id, name }) => ({
        id,
        label: name === undefined ? effect : honest(name, kind, effect),
        kind: isAllow ? ('approve' as const) : ('deny' as const),
      })),
  );
}

/** The answer for the agent. A plain yes or no becomes the option that commits the user least. */
export function permissionOutcome(decision: ToolDecision, options: unknown): RequestPermissionOutcome {
  if (!decision.approved && decision.reason === 'cancelled') return { outcome: 'cancelled' };
  const fitting = understood(options).filter(({ kind }) => kind.startsWith('allow') === decision.approved);
  const chosen = fitting.find(({ id }) => id === decision.option?.id);
  const once = fitting.find(({ kind }) => kind.endsWith('_once'));
  const optionId = (chosen ?? once ?? fitting[0])?.id;
  return optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId };
}

interface Option {
  readonly id: string;
  readonly name: string | undefined;
  readonly kind: Kind;
}

/** Options that say clearly what they do: one whose kind is unknown, or whose id stands for two things, is not offered. */
function understood(options: unknown): Option[] {
  const read = list(options)
    .slice(0, MAX_CHOICES)
    .map(fields)
    .flatMap((option): Option[] => {
      const id = text(option.optionId);
      const known = KINDS.find(({ kind }) => kind === option.kind);
      return id && id.length <= MAX_ID_CHARS && known ? [{ id, name: label(option.name), kind: known.kind }] : [];
    });
  return read.filter(
    ({ id, kind }, index) =>
      read.every((other) => other.id !== id || other.kind === kind) &&
      read.findIndex((other) => other.id === id) === index,
  );
}

/** The agent's words for an option, with its effect before them unless they say themselves what it does. */
function honest(name: string, kind: Kind, effect: string): string {
  const firstWord = /^[\p{L}']+/u.exec(name.toLowerCase())?.[0] ?? '';
  const saysWhat = (kind.startsWith('allow') ? YES : NO).has(firstWord);
  const saysHowOften = LASTING.test(name) === kind.endsWith('_always');
  return saysWhat && saysHowOften ? name : `${effect}: ${name}`;
}

const KINDS = [
  { kind: 'allow_once', effect: 'Allow once', isAllow: true },
  { kind: 'allow_always', effect: 'Always allow', isAllow: true },
  { kind: 'reject_once', effect: 'Deny', isAllow: false },
  { kind: 'reject_always', effect: 'Always deny', isAllow: false },
] as const;

type Kind = (typeof KINDS)[number]['kind'];

const YES = new Set(['yes', 'allow', 'always', 'approve', 'accept', 'proceed', 'run', 'ok', 'continue']);
const NO = new Set(['no', 'deny', 'reject', 'never', 'cancel', 'decline', 'skip', 'stop', 'abort']);

/** Words by which agents say that an answer counts for more than this call. */
const LASTING = /\b(always|never|all|every|again|session|forever)\b/i;
