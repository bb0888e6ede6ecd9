export { nodeClock } from '../shared/clock/node-clock.js';
