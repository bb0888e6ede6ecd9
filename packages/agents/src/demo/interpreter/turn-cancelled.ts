/** Thrown when we learn that the turn is cancelled before its signal says so. */
export class TurnCancelled extends Error {
  override readonly name = 'TurnCancelled';

  constructor() {
    super('the turn was cancelled');
  }
}
