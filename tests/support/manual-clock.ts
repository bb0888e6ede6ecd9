export { ManualClock } from '@ahpd/host/testing';
