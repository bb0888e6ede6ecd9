import { isObject } from '../common/is-object.js';
import type { Dialect, DialectName } from './dialect.js';
import { dialects } from './dialects.js';
import { isNewer } from './shared/since.js';

/** The first clients announce their version as this number. */
const INTEGER_VERSION = 1;

/** Versions that a host can be asked for by name, the latest first. It takes any patch version of them (B-24). */
export const supportedVersions: readonly string[] = [
  '1.0.0',
  '0.9.0',
  '0.7.0',
  '0.6.0',
  '0.5.2',
  '0.5.1',
  '0.5.0',
  '0.4.0',
  '0.3.0',
  '0.2.0',
  '0.1.0',
];

/** The same as ranges, for clients that offered nothing that we speak. */
export const supportedRanges: readonly string[] = [
  '^1.0.0',
  ...['0.9', '0.7', '0.6', '0.5', '0.4', '0.3', '0.2', '0.1'].map((minor) => `~${minor}.0`),
];

/** What a host and a client agreed upon: what the answer says, and the translation it stands for. */
export interface Agreement {
  readonly protocolVersion: string | number;
  readonly dialect: Dialect;
}

/** Why there is no agreement: no common version, no offer at all, or one with an entry that is not a version. */
export type Disagreement = 'nothing in common' | 'no offer' | { readonly malformed: unknown };

/** What to agree on with a client that sends these parameters of `initialize`, or why that is impossible. */
export function negotiate(params: unknown): Agreement | Disagreement {
  if (!isObject(params)) return 'no offer';
  const { protocolVersions, protocolVersion } = params;
  const offered = protocolVersions ?? (typeof protocolVersion === 'string' ? [protocolVersion] : undefined);
  if (Array.isArray(offered)) return negotiateOffer(offered);
  if (typeof protocolVersion !== 'number') return 'no offer';
  return protocolVersion >= INTEGER_VERSION
    ? { protocolVersion: INTEGER_VERSION, dialect: dialects.v1 }
    : 'nothing in common';
}

function negotiateOffer(offered: readonly unknown[]): Agreement | Disagreement {
  const malformed = offered.findIndex((entry) => !isVersion(entry));
  if (malformed >= 0) return { malformed: offered[malformed] };
  const version = negotiateVersion(offered.filter(isVersion));
  const dialect = version === undefined ? undefined : dialectOf(version);
  return version !== undefined && dialect ? { protocolVersion: version, dialect } : 'nothing in common';
}

/**
 * The version that is spoken with a client, as it wrote it: the highest that it offers of 1.x and 0.9, else the first of
 * the older ones in its own order (OQ-6, OQ-7, D-1).
 */
export function negotiateVersion(offered: readonly string[]): string | undefined {
  const spoken = offered.filter((version) => dialectOf(version) !== undefined && !isAugust(version, offered));
  const current = spoken.filter((version) => /^(1|0\.9)\./.test(version));
  if (current.length === 0) return spoken[0];
  return current.reduce((highest, version) => (isNewer(version, highest) ? version : highest));
}

/** For a week in August 2026 "1.0.0" was what became 0.9 later; clients of that week offer 0.8 beside it (V-53). */
function isAugust(version: string, offered: readonly string[]): boolean {
  return version === '1.0.0' && offered.includes('0.8.0');
}

/** The translation of an agreed version, as it is remembered with a client. */
export function dialectOf(protocolVersion: string | number): Dialect | undefined {
  if (protocolVersion === INTEGER_VERSION) return dialects.v1;
  if (!isVersion(protocolVersion)) return undefined;
  const [major = '', minor = '', patch = ''] = protocolVersion.split('.');
  if (major === '1') return dialects['1.0'];
  if (major !== '0') return undefined;
  const name = minor === '5' ? `0.5.${patch === '0' || patch === '1' ? patch : '2'}` : `0.${minor}`;
  return Object.hasOwn(dialects, name) ? dialects[name as DialectName] : undefined;
}

/** Three whole numbers without leading zeros. */
function isVersion(value: unknown): value is string {
  return typeof value === 'string' && /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(value);
}
