import type { ConfirmationOption } from '@ahpd/protocol';
import type { ChatGrants } from './grants.js';

/** Something that users can allow for longer than one call. */
interface Grant {
  /** Names it where it is kept. */
  readonly key: string;
  /** For people, after "Allow". */
  readonly label: string;
}

/** Why a call asks, and what allowing it for longer would cover. */
export interface Approval {
  /** As little as makes sense: this file, this command. Without it each call is asked about by itself. */
  readonly grant?: Grant;
  /** The same for everything of its kind. */
  readonly wider?: Grant;
}

const ONCE = 'allow-once';
const SESSION = 'allow-session';
const ALWAYS = 'allow-always';
const DENY = 'deny';

/** What choosing `wider` instead of `grant` adds to the id of an option. */
const ALL = '-all';

export function optionsFor({ grant, wider }: Approval): ConfirmationOption[] {
  return [
    { id: ONCE, label: 'Allow once', kind: 'approve', group: 1 },
    ...(grant ? longer(grant, '') : []),
    ...(wider ? longer(wider, ALL) : []),
    { id: DENY, label: 'Deny', kind: 'deny', group: 2 },
  ];
}

function longer({ label }: Grant, suffix: string): ConfirmationOption[] {
  return [
    { id: `${SESSION}${suffix}`, label: `Allow ${label} for this session`, kind: 'approve', group: 1 },
    { id: `${ALWAYS}${suffix}`, label: `Always allow ${label} in this folder`, kind: 'approve', group: 1 },
  ];
}

/** Whether the user has allowed it before. */
export function isGranted({ grant, wider }: Approval, grants: ChatGrants): boolean {
  return [grant, wider].some((one) => one && grants.allows(one.key));
}

/** Keeps what the user chose. */
export function remember(option: string | undefined, { grant, wider }: Approval, grants: ChatGrants): void {
  for (const [one, suffix] of [[grant, ''] as const, [wider, ALL] as const]) {
    if (one && option === `${SESSION}${suffix}`) grants.allowForSession(one.key);
    if (one && option === `${ALWAYS}${suffix}`) grants.allowAlways(one.key);
  }
}
