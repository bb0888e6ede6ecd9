import type { Door } from './door.js';

/** The part of the door with which one can only read. */
export interface ReadingDoor
  extends Pick<Door, 'serverSeq' | 'isOpen' | 'isFull' | 'present' | 'presentView' | 'snapshot'> {
  readonly channels: Pick<
    Door['channels'],
    'chatWithTurn' | 'find' | 'has' | 'isBusy' | 'load' | 'loadInSlices' | 'peek' | 'sessionOf' | 'values'
  >;
  readonly subscriptions: Pick<Door['subscriptions'], 'has' | 'of'>;
  readonly documents: Pick<Door['documents'], 'read' | 'readOften'>;
}

/**
 * The part that every service gets: it decides, and the door stores and sends that at the end of the tick. A service that
 * needs to know when that has happened uses `stored` or `afterwards`.
 */
export interface CommittingDoor
  extends ReadingDoor,
    Pick<
      Door,
      | 'afterwards'
      | 'announceSession'
      | 'bring'
      | 'commit'
      | 'commitAll'
      | 'discard'
      | 'dispose'
      | 'end'
      | 'notify'
      | 'notifyOne'
      | 'open'
      | 'openEphemeral'
      | 'restore'
      | 'show'
      | 'stored'
      | 'trim'
      | 'unload'
    > {
  readonly subscriptions: Pick<Door['subscriptions'], 'has' | 'of' | 'removeChannel'>;
  readonly documents: Pick<Door['documents'], 'keep' | 'put' | 'read' | 'readOften'>;
}

/**
 * The part of the operation journal, which must have stored its records before files change. Only it and the server flush:
 * a flush in the middle of a decision would store and send half of it.
 */
export interface FlushingDoor extends CommittingDoor, Pick<Door, 'flush' | 'settle'> {}
