export { type GroupProgram, type ProcessEnd, ProcessGroup } from './process-group.js';
export { requirePipes } from './require-pipes.js';
export { signalGroup } from './signal-group.js';
