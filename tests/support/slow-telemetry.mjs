// For `node --import`: OpenTelemetry takes long to load, as it does on a machine with something else to do.
import { register } from 'node:module';

const hooks = `export async function load(url, context, next) {
  if (/\\/engine-[^/]*\\.js$/.test(url)) {
    process._rawDebug('telemetry is slow to load');
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
