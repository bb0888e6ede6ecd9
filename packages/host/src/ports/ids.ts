/** Names for new things; tests pass one that counts. */
export interface Ids {
  /** A new id that no other thing has or will have. */
  next(): string;
}
