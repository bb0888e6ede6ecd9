import { InvalidArgumentError } from 'commander';

/** A path as an option takes it. An empty one comes from a variable that is not set, and would mean the current folder. */
export function pathValue(text: string): string {
  if (text === '') throw new InvalidArgumentError('expected a path');
  return text;
}

/** For options that may be given more than once. */
export function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}

export function collectPaths(value: string, earlier: string[] | undefined): string[] {
  return collect(pathValue(value), earlier);
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('expected a number from 0 to 65535');
  return port;
}

export function parseMegabytes(text: string): number {
  if (!/^(0|[1-9]\d{0,6})$/.test(text))
    throw new InvalidArgumentError('expected a number of megabytes, from 0 to 9999999');
  return Number(text);
}

export function parseHours(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('expected a number of hours, from 1 to 9999');
  return Number(text);
}

export function parseDays(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('expected a number of days, from 1 to 99999');
  return Number(text);
}
