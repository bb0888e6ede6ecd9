import type { ConfirmationOption } from '@ahpd/protocol';

/** Why a call asks, and what allowing it for longer would cover. */
export interface Approval {
  /** Names what is allowed when the user allows it for longer; without it each call is asked about by itself. */
  readonly grant?: { readonly key: string; readonly label: string };
}

const ONCE = 'allow-once';
export const SESSION = 'allow-session';
export const ALWAYS = 'allow-always';
const DENY = 'deny';

export function optionsFor({ grant }: Approval): ConfirmationOption[] {
  const longer: ConfirmationOption[] = grant
    ? [
        { id: SESSION, label: `Allow ${grant.label} for this session`, kind: 'approve', group: 1 },
        { id: ALWAYS, label: `Always allow ${grant.label} in this folder`, kind: 'approve', group: 1 },
      ]
    : [];
  return [
    { id: ONCE, label: 'Allow once', kind: 'approve', group: 1 },
    ...longer,
    { id: DENY, label: 'Deny', kind: 'deny', group: 2 },
  ];
}
