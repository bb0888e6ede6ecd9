import { isObject } from '../common/is-object.js';
import { dialect02 } from './0.2/index.js';
import { dialect03 } from './0.3/index.js';
import { dialect04 } from './0.4/index.js';
import { dialect05 } from './0.5/index.js';
import type { Dialect } from './dialect.js';
import { dialect01, dialectV1 } from './v1/index.js';

/** The first clients announce their version as this number. */
const INTEGER_VERSION = 1;

const byMinor: ReadonlyMap<string, Dialect> = new Map([
  ['1', dialect01],
  ['2', dialect02],
  ['3', dialect03],
  ['4', dialect04],
  ['5', dialect05],
]);

/** What a host and a client agreed upon: what the answer says, and the translation it stands for. */
export interface Agreement {
  readonly protocolVersion: string | number;
  readonly dialect: Dialect;
}

/** The first offered version, in the client's order, that we speak; undefined when there is none (OQ-6, OQ-7, D-1). */
export function negotiateVersion(offered: readonly string[]): string | undefined {
  return offered.find((version) => dialectOf(version) !== undefined);
}

/** What to agree on with a client that sends these parameters of `initialize`, or why that is impossible. */
export function negotiate(params: unknown): Agreement | 'nothing in common' | 'no offer' {
  if (!isObject(params)) return 'no offer';
  const { protocolVersions, protocolVersion } = params;
  const offered = protocolVersions ?? (typeof protocolVersion === 'string' ? [protocolVersion] : undefined);
  if (Array.isArray(offered)) {
    const version = negotiateVersion(offered.filter((entry) => typeof entry === 'string'));
    const dialect = version === undefined ? undefined : dialectOf(version);
    return version !== undefined && dialect ? { protocolVersion: version, dialect } : 'nothing in common';
  }
  if (typeof protocolVersion !== 'number') return 'no offer';
  return protocolVersion >= INTEGER_VERSION
    ? { protocolVersion: INTEGER_VERSION, dialect: dialectV1 }
    : 'nothing in common';
}

/** The translation of an agreed version, as it is remembered with a client. */
export function dialectOf(protocolVersion: string | number): Dialect | undefined {
  if (protocolVersion === INTEGER_VERSION) return dialectV1;
  const [, minor] = /^0\.([1-9]\d*)\.(?:0|[1-9]\d*)$/.exec(String(protocolVersion)) ?? [];
  return minor === undefined ? undefined : byMinor.get(minor);
}
