export { connectNatsBus, type NatsBusOptions } from './bus-nats/index.js';
