import { MAX_MESSAGE_BYTES } from './limits.js';

/** The same response with a body that fails once one message is too large. A stream of events may be as long as it likes. */
export function bounded(response: Response, maxBytes = MAX_MESSAGE_BYTES): Response {
  if (!response.body) return response;
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      // An empty line ends an event. Counting from the last one in the chunk is exact enough to bound memory.
      const end = isStream ? lastEventEnd(chunk) : 0;
      bytes = end > 0 ? chunk.length - end : bytes + chunk.length;
      if (bytes > maxBytes) controller.error(new Error('a message is too large'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(count), { status, statusText, headers });
}

/** The offset after the last empty line; 0 if there is none. */
function lastEventEnd(chunk: Uint8Array): number {
  for (let at = chunk.length - 1; at > 0; at--) {
    const before = chunk[at - 1] === CARRIAGE_RETURN ? at - 2 : at - 1;
    if (chunk[at] === NEWLINE && chunk[before] === NEWLINE) return at + 1;
  }
  return 0;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
