import { step04 } from './0.4/index.js';
import { step050 } from './0.5.0/index.js';
import { step051 } from './0.5.1/index.js';
import { step052 } from './0.5.2/index.js';
import { step06 } from './0.6/index.js';
import { step07 } from './0.7/index.js';
import { step09 } from './0.9/index.js';
import { Chain } from './chain.js';
import type { Step } from './step.js';

/** From the native version down to the oldest that has chats. */
const STEPS: readonly Step[] = [step09, step07, step06, step052, step051, step050, step04];

export const chain09 = chainTo(step09);
export const chain07 = chainTo(step07);
export const chain06 = chainTo(step06);
export const chain052 = chainTo(step052);
export const chain051 = chainTo(step051);
export const chain050 = chainTo(step050);
export const chain04 = chainTo(step04);

function chainTo(step: Step): Chain {
  return new Chain(...STEPS.slice(0, STEPS.indexOf(step) + 1));
}
