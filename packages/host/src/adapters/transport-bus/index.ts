export { type DialledHost, type DialOptions, dialHost, WayLostError } from './dial.js';
export type { BusTransportLimits } from './limits.js';
export { type BusListenerOptions, type FleetUser, listenBus, type OpenRequest, type ShareRequest } from './listen.js';
export { hostSubjects, SUBJECT_WORD } from './subjects.js';
