import { median, percentile, robustSlope } from '../lib/fit.mjs';

/**
 * What must stay flat. A figure grows when its trend over the run is more than `part` of where it began and more than
 * `least`: a collector of garbage and a busy machine move every figure a little.
 */
const FIGURES = {
  memory: { part: 0.15, least: 24e6, show: (bytes) => `${(bytes / 1e6).toFixed(1)} MB` },
  handles: { part: 0.1, least: 20, show: (count) => count.toFixed(0) },
  threads: { part: 0, least: 3, show: (count) => count.toFixed(0) },
  children: { part: 0.25, least: 5, show: (count) => count.toFixed(0) },
  // As times of a bare echo: others on the machine slow down both.
  echoTimes: { part: 0.5, least: 3, show: (times) => `${times.toFixed(1)}x` },
  pingTimes: { part: 0.5, least: 3, show: (times) => `${times.toFixed(1)}x` },
};

/** The part of a run in which caches fill and code is compiled. */
const WARM_UP = 0.3;

/** One line for each figure of the samples, which begin with the load. */
export function judge(samples) {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  return Object.entries(FIGURES).map(([name, { part, least, show }]) => {
    const points = warm.flatMap((sample) => (Number.isFinite(sample[name]) ? [[sample.seconds, sample[name]]] : []));
    if (points.length < 6) return { name, verdict: 'too few samples', growing: true, text: '' };
    const values = points.map(([, value]) => value);
    const third = Math.ceil(values.length / 3);
    const [first, last] = [median(values.slice(0, third)), median(values.slice(-third))];
    const growth = robustSlope(points) * (points.at(-1)[0] - points[0][0]);
    // Both must say so: a trend may come from one slow phase, two ends may be two accidents.
    const growing = Math.min(growth, last - first) > Math.max(least, part * first);
    const text = `first third ${show(first)}, last third ${show(last)}, trend ${growth < 0 ? '-' : '+'}${show(Math.abs(growth))}, most ${show(percentile(values, 1))}`;
    return { name, verdict: growing ? 'GROWING' : 'flat', growing, first, last, growth, text };
  });
}
