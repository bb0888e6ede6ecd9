export interface RawFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Reads server frames from any splitting of the bytes; written from RFC 6455 alone, to check the encoder against. */
export class RawFrameReader {
  #bytes = Buffer.alloc(0);
  readonly #chunks: Buffer[] = [];
  #missing = 0;

  push(chunk: Buffer): RawFrame[] {
    this.#chunks.push(chunk);
    this.#missing -= chunk.length;
    if (this.#missing > 0) return []; // joining a long frame anew with each chunk would take minutes
    this.#bytes = Buffer.concat([this.#bytes, ...this.#chunks.splice(0)]);
    const frames: RawFrame[] = [];
    for (let frame = this.#take(); frame; frame = this.#take()) frames.push(frame);
    return frames;
  }

  #take(): RawFrame | undefined {
    const bytes = this.#bytes;
    if (bytes.length < 2) return undefined;
    const [first = 0, second = 0] = bytes;
    if ((first & 0xf0) !== 0x80) throw new Error('not a final frame without extensions');
    if ((second & 0x80) !== 0) throw new Error('a server must not mask');
    let size = second;
    let offset = 2;
    if (second === 126) {
      if (bytes.length < 4) return undefined;
      size = bytes.readUInt16BE(2);
      if (size < 126) throw new Error('length not in its shortest form');
      offset = 4;
    } else if (second === 127) {
      if (bytes.length < 10) return undefined;
      size = Number(bytes.readBigUInt64BE(2));
      if (size < 0x10000) throw new Error('length not in its shortest form');
      offset = 10;
    }
    this.#missing = offset + size - bytes.length;
    if (this.#missing > 0) return undefined;
    this.#bytes = bytes.subarray(offset + size);
    return { opcode: first & 0x0f, payload: bytes.subarray(offset, offset + size) };
  }
}

/** A client's frame: masked. */
export function clientFrame(opcode: number, payload: Buffer | string, final = true): Buffer {
  const data = Buffer.from(payload);
  const mask = Buffer.from([0x12, 0xf4, 0x00, 0x99]);
  const masked = data.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([clientHeader(opcode, data.length, final), mask, masked]);
}

/** A client's frame up to its mask, whatever length it promises. */
export function clientHeader(opcode: number, size: number, final = true): Buffer {
  const first = (final ? 0x80 : 0) | opcode;
  if (size < 126) return Buffer.from([first, 0x80 | size]);
  const header = Buffer.alloc(size < 0x10000 ? 4 : 10);
  header[0] = first;
  header[1] = 0x80 | (size < 0x10000 ? 126 : 127);
  if (size < 0x10000) header.writeUInt16BE(size, 2);
  else header.writeBigUInt64BE(BigInt(size), 2);
  return header;
}
