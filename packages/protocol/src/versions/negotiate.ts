/** The version this package speaks natively. */
export const PROTOCOL_VERSION = '0.4.0';

/** What a host of this package can be asked for; patch versions of a 0.x minor are compatible (B-24). */
export const supportedVersions: readonly string[] = [PROTOCOL_VERSION];

/** The first offered version, in the client's order, that we speak; undefined when there is none (OQ-6, OQ-7). */
export function negotiateVersion(offered: readonly string[]): string | undefined {
  return offered.find((version) => /^0\.4\.(0|[1-9]\d*)$/.test(version));
}
