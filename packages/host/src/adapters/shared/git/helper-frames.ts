/** One message between the host and its git helper about one git process. */
export interface HelperFrame {
  /** One of the constants below. */
  readonly kind: number;
  /** The git process, by a number that the host chose. */
  readonly id: number;
  readonly bytes: Buffer;
}

/** Sent by the host. */
export const START = 1;
export const STDIN = 2;
export const KILL = 3;

/** Sent by the helper. */
export const STDOUT = 4;
export const STDERR = 5;
export const EXIT = 6;
export const CLOSE = 7;
export const ERROR = 8;

/** How to start a git process: the content of a START frame. */
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

/** Reassembles frames from chunks of any size. */
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
