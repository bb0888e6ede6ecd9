// The host as clients and users meet it: fan-out, the way there and back, start, memory.
import { fanOut } from './host/fan-out.mjs';
import { latency } from './host/latency.mjs';
import { memory } from './host/memory.mjs';
import { start } from './host/start.mjs';

export function cases({ smoke }) {
  const subscribers = smoke ? [2] : [1, 10, 100, 500];
  return [
    ...subscribers.map((count) => fanOut(count, smoke)),
    latency(smoke),
    start('empty', smoke),
    start('10,000 sessions', smoke),
    ...memory(smoke),
  ];
}
