import type { Log } from '../../ports/log.js';
import type { Telemetry, TelemetryAttributes } from '../../ports/telemetry.js';

/** Fields of log records that are names or numbers of the host's own. Others may hold paths, or words of people and agents. */
const TOLD = new Set([
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

/** A log whose records are telemetry as well, without what might be somebody's. */
export function telemetryLog(log: Log, telemetry: Telemetry): Log {
  return {
    write(level, message, fields) {
      log.write(level, message, fields);
      if (telemetry.isOn) telemetry.log(level, message, attributesOf(fields));
    },
  };
}

function attributesOf(fields: Readonly<Record<string, unknown>> = {}): TelemetryAttributes {
  const told: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (key === 'error') told['error.type'] = errorName(value);
    else if (TOLD.has(key) && isPlain(value)) told[`ahp.${key}`] = value;
  }
  return told;
}

/** The name of an error without its message, which may quote what could not be read. */
function errorName(error: unknown): string {
  return /^[A-Z]\w{0,60}(?=:|$)/.exec(String(error))?.[0] ?? 'error';
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= 100);
}
