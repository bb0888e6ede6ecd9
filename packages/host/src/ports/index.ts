export * from './agent.js';
export * from './clock.js';
export * from './folders.js';
export * from './ids.js';
export * from './log.js';
export * from './store.js';
export * from './transport.js';
export * from './workspace.js';
