// Loaded into a host with --import: counts which of its functions run, from when the parent asks until the host writes a frame with
// a certain text to a socket. V8 counts; what is written is seen synchronously, so nothing that comes after the frame is counted.
import { Session } from 'node:inspector';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const PACKAGES = new URL('../../packages/', import.meta.url).href;

const inspector = new Session();
inspector.connect();
const ask = (method, params) => {
  let answer;
  inspector.post(method, params, (error, result) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    answer = result; // a session of the same thread answers before `post` returns
  });
  return answer;
};
ask('Profiler.enable');
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

let until;
process.on('message', (text) => {
  until = Buffer.from(text);
  ask('Profiler.takePreciseCoverage'); // sets all counts to zero
  process.send({ counting: true });
});

for (const name of ['write', '_write', '_writev']) {
  const original = Socket.prototype[name];
  Socket.prototype[name] = function countedWrite(...args) {
    const written = name === '_writev' ? args[0].map(({ chunk }) => chunk) : [args[0]];
    if (until && written.some((chunk) => Buffer.from(chunk).includes(until))) {
      until = undefined;
      process.send({ walk: walked(ask('Profiler.takePreciseCoverage').result) });
    }
    return original.apply(this, args);
  };
}

/** What ran of our own packages: for each file, how many functions and how many calls. */
function walked(scripts) {
  return scripts
    .filter(({ url }) => url.startsWith(PACKAGES) && !url.includes('/node_modules/'))
    .map(({ url, functions }) => {
      const ran = functions.filter(({ ranges: [{ startOffset, count }] }) => startOffset > 0 && count > 0); // 0 is the module
      const calls = ran.reduce((sum, { ranges }) => sum + ranges[0].count, 0);
      return { file: fileURLToPath(url).slice(fileURLToPath(PACKAGES).length), functions: ran.length, calls };
    })
    .filter(({ functions }) => functions > 0)
    .sort((a, b) => b.calls - a.calls);
}
