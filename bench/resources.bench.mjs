// What a file costs when it is read through the host, against reading it from the disk.
import { confined } from './resources/confined.mjs';
import { overSocket } from './resources/over-socket.mjs';

export function* cases({ smoke }) {
  for (const kib of [1, 100, 1024]) yield confined(kib, smoke);
  for (const kib of [1, 100, 1024]) yield overSocket(kib, smoke);
}
