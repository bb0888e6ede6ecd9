// For what is loaded into a host with --import: from when the parent asks until the host writes a frame with a certain text to a socket.
import { Session } from 'node:inspector';
import { Socket } from 'node:net';

const inspector = new Session();
inspector.connect();

/** Asks the inspector of this thread, which answers at once. */
export function ask(method, params) {
  let answer;
  inspector.post(method, params, (error, result) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    answer = result; // a session of the same thread answers before `post` returns
  });
  return answer;
}

/** `before`: whether it ends before the frame is written, or after. What `end` gives is sent to the parent. */
export function eachTime({ begin, end, isBefore }) {
  let until;
  process.on('message', (text) => {
    until = Buffer.from(text);
    begin();
    process.send({ counting: true });
  });
  const finish = () => {
    until = undefined;
    process.send({ walk: end() });
  };
  for (const name of ['write', '_write', '_writev']) {
    const original = Socket.prototype[name];
    Socket.prototype[name] = function watchedWrite(...args) {
      const written = name === '_writev' ? args[0].map(({ chunk }) => chunk) : [args[0]];
      const isIt = until && written.some((chunk) => Buffer.from(chunk).includes(until));
      if (isIt && isBefore) finish();
      const result = original.apply(this, args);
      if (isIt && !isBefore && until) finish();
      return result;
    };
  }
}
