import type { Log } from '../../ports/log.js';
import type { Telemetry, TelemetryAttributes } from '../../ports/telemetry.js';

/** Log fields that hold only the host's own names and numbers. Others may hold paths, or words of users and agents. */
const EXPORTED_FIELDS = new Set([
  'agent',
  'code',
  'errorType',
  'limit',
  'max',
  'method',
  'operation',
  'operationId',
  'outcome',
  'provider',
  'status',
]);

/** A log that also exports its records as telemetry, without fields that may be private. */
export function telemetryLog(log: Log, telemetry: Telemetry): Log {
  return {
    write(level, event, message, fields) {
      log.write(level, event, message, fields);
      if (telemetry.isOn) telemetry.log(level, message, { 'event.name': event, ...attributesOf(fields) });
    },
  };
}

function attributesOf(fields: Readonly<Record<string, unknown>> = {}): TelemetryAttributes {
  const attributes: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (key === 'error') attributes['error.type'] = errorName(value);
    else if (EXPORTED_FIELDS.has(key) && isPlain(value)) attributes[`ahp.${key}`] = value;
  }
  return attributes;
}

/** The name of an error. Its message is left out, because it may quote private input. */
function errorName(error: unknown): string {
  return /^[A-Z]\w{0,60}(?=:|$)/.exec(String(error))?.[0] ?? 'error';
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= 100);
}
