import '../../examples/agent/agent.test.mjs';
