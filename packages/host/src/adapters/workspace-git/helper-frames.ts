/** One message between the host and its git helper: what it is, of which git process, and bytes. */
export interface HelperFrame {
  readonly kind: number;
  readonly id: number;
  readonly bytes: Buffer;
}

/** What the host says. */
export const START = 1;
export const INPUT = 2;
export const KILL = 3;

/** What the helper says. */
export const OUTPUT = 4;
export const COMPLAINT = 5;
export const EXIT = 6;
export const CLOSE = 7;
export const ERROR = 8;

/** How to start a git process: the content of a START. */
export interface StartOrder {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const HEADER_BYTES = 9;

export function frame(kind: number, id: number, content: Buffer | string): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt8(kind, 0);
  header.writeUInt32BE(id, 1);
  header.writeUInt32BE(bytes.length, 5);
  return Buffer.concat([header, bytes]);
}

/** Gives the frames in what comes in pieces of any size. */
export function frameReader(onFrame: (frame: HelperFrame) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let have = 0;
  let need = HEADER_BYTES;
  return (chunk) => {
    chunks.push(chunk);
    have += chunk.length;
    if (have < need) return;
    const all = Buffer.concat(chunks);
    let at = 0;
    need = HEADER_BYTES;
    while (all.length - at >= HEADER_BYTES) {
      const end = at + HEADER_BYTES + all.readUInt32BE(at + 5);
      if (end > all.length) {
        need = end - at;
        break;
      }
      onFrame({ kind: all.readUInt8(at), id: all.readUInt32BE(at + 1), bytes: all.subarray(at + HEADER_BYTES, end) });
      at = end;
    }
    chunks = [all.subarray(at)];
    have = all.length - at;
  };
}
