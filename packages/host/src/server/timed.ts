import { RpcError, requestRow } from '@moorage/protocol';
import type { Telemetry } from '../ports/telemetry.js';

/** Answers a request and records how long that took; for when somebody listens. */
export function timed(telemetry: Telemetry, method: string, answer: () => unknown): unknown {
  const started = performance.now();
  // Unknown method names are the client's own text, which must not become an attribute.
  const attributes = { 'rpc.method': requestRow(method) ? method : 'other' };
  const done = (error?: unknown) => {
    const code = error === undefined ? 0 : error instanceof RpcError ? error.code : -32603;
    const seconds = (performance.now() - started) / 1000;
    telemetry.measure('ahp.request.duration', seconds, { ...attributes, 'rpc.response.status_code': code });
  };
  try {
    const result = answer();
    if (result instanceof Promise) {
      result.then(
        () => done(),
        (error) => done(error),
      );
    } else done();
    return result;
  } catch (error) {
    done(error);
    throw error;
  }
}
