import type { ConfirmationOption } from '@moorage/protocol';
import type { ChatGrants } from './grants.js';

/** Something that users can allow for more than one call. */
interface Grant {
  /** Its name in storage. */
  readonly key: string;
  /** For people, after "Allow". */
  readonly label: string;
}

/** What a call asks for, and what the user could allow for more than this call. */
export interface Approval {
  /** The least that makes sense, such as this file or this command. Without it, every call asks. */
  readonly grant?: Grant;
  /** Everything of its kind. */
  readonly wider?: Grant;
}

const ONCE = 'allow-once';
const SESSION = 'allow-session';
const ALWAYS = 'allow-always';
const DENY = 'deny';

/** Appended to the id of an option that allows `wider` instead of `grant`. */
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

/** Whether the user has already allowed it. */
export function isGranted({ grant, wider }: Approval, grants: ChatGrants): boolean {
  return [grant, wider].some((one) => one && grants.allows(one.key));
}

/** Remembers the option that the user chose. */
export function remember(option: string | undefined, { grant, wider }: Approval, grants: ChatGrants): void {
  for (const [one, suffix] of [[grant, ''] as const, [wider, ALL] as const]) {
    if (one && option === `${SESSION}${suffix}`) grants.allowForSession(one.key);
    if (one && option === `${ALWAYS}${suffix}`) grants.allowAlways(one.key);
  }
}
