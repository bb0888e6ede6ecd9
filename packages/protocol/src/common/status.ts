import { named } from './schema.js';
import { type Static, Type } from './type.js';

/** Bits 0 to 4 hold exactly one activity, the bits above are independent flags (B-122). */
export const SessionStatus = {
  Idle: 1,
  Error: 2,
  InProgress: 8,
  InputNeeded: 24,
  IsRead: 32,
  IsArchived: 64,
} as const;

/** A number and not an enum: unknown bits of later versions must survive (B-125). */
export const SessionStatusSchema = named('SessionStatus', Type.Integer({ minimum: 0 }));
export type SessionStatus = Static<typeof SessionStatusSchema>;

const ACTIVITY_MASK = 31;

/** The part of a status that says what is going on, without the flags. */
export function activityOf(status: SessionStatus): number {
  return status & ACTIVITY_MASK;
}

/** A status with another activity and the same flags. */
export function withActivity(status: SessionStatus, activity: number): SessionStatus {
  return ((status & ~ACTIVITY_MASK) | activity) >>> 0; // >>> 0: bit 31 would make it negative (OQ-27)
}

/** A status with a flag set or cleared. */
export function withFlag(status: SessionStatus, flag: number, on: boolean): SessionStatus {
  return (on ? status | flag : status & ~flag) >>> 0;
}
