// The contract of agents, for this one: run it with vitest, and with your own agent in place of `helper`.
import { describeAgent } from '@moorage/host/testing';
import { helper } from './agent.mjs';

describeAgent('the agent of examples/agent', () => ({
  provider: helper(),
  brief: { message: 'hello', answer: 'You said: hello' },
  endless: { message: 'wait', start: 'Waiting.' },
  confirms: { message: 'do the dishes', approved: 'Done.', denied: 'Not done.' },
  asks: { message: 'ask What is your name?', reply: 'Ada', answer: 'You answered: Ada' },
  spawns: { message: 'delegate the rest', text: 'all is done', answer: 'The other said: all is done' },
}));
