import type { RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import type { ToolDecision } from '@ahpd/host/ports';
import type { ConfirmationOption } from '@ahpd/protocol';
import { fields, label, list, text } from '../../shared/untrusted.js';
import { MAX_CHOICES } from './limits.js';

/** The options that the agent offers the user. */
export function confirmationOptions(options: unknown): ConfirmationOption[] {
  return list(options)
    .slice(0, MAX_CHOICES)
    .map(fields)
    .flatMap(({ optionId, name, kind }) => {
      const id = text(optionId);
      if (!id) return [];
      return { id, label: label(name) ?? id, kind: isAllow(kind) ? ('approve' as const) : ('deny' as const) };
    });
}

/** The answer for the agent. A plain yes or no becomes the option that commits the user least. */
export function permissionOutcome(decision: ToolDecision, options: unknown): RequestPermissionOutcome {
  if (!decision.approved && decision.reason === 'cancelled') return { outcome: 'cancelled' };
  const offered = list(options).map(fields);
  const chosen = offered.find(({ optionId }) => optionId !== undefined && optionId === decision.option?.id);
  const fitting = offered.filter(({ kind }) => isAllow(kind) === decision.approved);
  const once = fitting.find(({ kind }) => text(kind)?.endsWith('_once'));
  const optionId = text((chosen ?? once ?? fitting[0])?.optionId);
  return optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId };
}

function isAllow(kind: unknown): boolean {
  return text(kind)?.startsWith('allow') ?? false;
}
