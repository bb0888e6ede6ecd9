export { ManualClock } from '@moorage/host/testing';
