import { liftToToday, TODAYS_FORMAT } from '../older-format/lift.js';
import { liftStore } from '../older-format/lift-store.js';
import type { Migration } from './index.js';

/** The tables are the same. What is in them was 0.4 of the protocol, and what moorage adds to `_meta` had no prefix. */
export const native10: Migration = {
  version: TODAYS_FORMAT,
  up(database, log) {
    const unread = liftStore(database, liftToToday);
    for (const uri of unread) log?.write('warn', 'store.damaged', UNREAD, { uri });
  },
};

const UNREAD = 'what is stored of a session or channel is damaged, and was not migrated: run `moorage recover`';
