/** The host's source of new ids. */
export interface Ids {
  /** Returns an id that is never returned again, not even after a restart. Only letters, digits, `_` and `-`. */
  next(): string;
}
