/**
 * Text that grows by small pieces. V8 keeps such a string as a chain with a link for every piece until somebody reads
 * it, and each garbage collection walks and copies the links. So the pieces are merged, a block at a time.
 */
export class GrowingText {
  private merged: string;
  private recent = '';
  private firstCode = 0;

  constructor(text: string) {
    this.merged = text;
  }

  /** The whole text, with one more piece. */
  append(piece: string): string {
    const recent = this.recent + piece;
    if (recent.length < BLOCK_CHARACTERS) {
      this.recent = recent;
      return this.merged + recent;
    }
    this.firstCode = recent.charCodeAt(0); // to read a chain, V8 merges it
    this.recent = '';
    this.merged += recent;
    return this.merged;
  }
}

/** Large enough that blocks are few, small enough that merging one is cheap. */
const BLOCK_CHARACTERS = 8192;
