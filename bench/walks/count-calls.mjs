// Loaded into a host with --import: counts which of its functions run, from when the parent asks until the host writes a frame with
// a certain text to a socket. V8 counts; what is written is seen synchronously, so nothing that comes after the frame is counted.
import { fileURLToPath } from 'node:url';
import { ask, eachTime } from './until-written.mjs';

const PACKAGES = new URL('../../packages/', import.meta.url).href;

ask('Profiler.enable');
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
eachTime({
  isBefore: true,
  begin: () => ask('Profiler.takePreciseCoverage'), // sets all counts to zero
  end: () => walked(ask('Profiler.takePreciseCoverage').result),
});

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
