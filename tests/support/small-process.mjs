import { spawnSync } from 'node:child_process';
import { openSync, readSync, writeSync } from 'node:fs';

// Runs programs for the process that started this one, one after the other, until that one ends; run-from-small-process.ts says why.

const [orders, results] = [openSync(process.argv[2], 'r'), openSync(process.argv[3], 'w')];
const MAX_OUTPUT = 1 << 28;

for (let order = read(4); order.length === 4; order = read(4)) {
  const { file, args, cwd, env } = JSON.parse(read(order.readUInt32LE()).toString());
  const input = read(read(4).readUInt32LE());
  const { status, signal, error, stdout, stderr } = spawnSync(file, args, { cwd, env, input, maxBuffer: MAX_OUTPUT });
  write(Buffer.from(JSON.stringify({ status, signal, error: error && { message: error.message, code: error.code } })));
  write(stdout ?? Buffer.alloc(0));
  write(stderr ?? Buffer.alloc(0));
}

function read(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = readSync(orders, bytes, at, length - at, null);
    if (count === 0) return bytes.subarray(0, at);
    at += count;
  }
  return bytes;
}

function write(bytes) {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  for (const part of [length, bytes])
    for (let at = 0; at < part.length; ) at += writeSync(results, part, at, part.length - at);
}
