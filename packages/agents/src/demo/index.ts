import type { AgentProvider } from '@moorage/host/ports';
import { type DemoAgentOptions, DemoProvider } from './provider.js';

export type { DemoAgentOptions } from './provider.js';
export { parseScript } from './script/parse.js';
export type { Step, StepOf } from './script/step.js';

/** An agent that needs no model: it runs the small script in a message. */
export function demoAgent(options: DemoAgentOptions = {}): AgentProvider {
  return new DemoProvider(options);
}
