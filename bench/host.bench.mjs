// The host as clients and users meet it: fan-out, the way there and back, start, memory.
import { blocks } from './host/blocks.mjs';
import { fanOut, fanOutOfBuffers } from './host/fan-out.mjs';
import { largeReview } from './host/large-review.mjs';
import { latency } from './host/latency.mjs';
import { longChat } from './host/long-chat.mjs';
import { memory, storedSessions } from './host/memory.mjs';
import { memoryParts } from './host/memory-parts.mjs';
import { newFiles } from './host/new-files.mjs';
import { replay } from './host/replay.mjs';
import { start } from './host/start.mjs';
import { steady, stopped } from './host/steady.mjs';

export function cases({ smoke }) {
  const subscribers = smoke ? [2] : [1, 10, 100, 500];
  return [
    ...subscribers.map((count) => fanOut(count, smoke)),
    fanOutOfBuffers(smoke ? 2 : 100, smoke),
    ...steady(smoke),
    ...stopped(smoke),
    latency(smoke),
    replay(smoke),
    blocks(smoke),
    ...longChat(smoke),
    ...largeReview(smoke),
    ...newFiles(smoke),
    start('empty', smoke),
    start('10,000 sessions', smoke),
    ...memory(smoke),
    storedSessions(smoke),
    ...memoryParts(smoke),
  ];
}
