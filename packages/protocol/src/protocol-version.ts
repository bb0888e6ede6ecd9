/** The version that this package speaks natively: its types, schemas and reducers are those of this version. */
export const PROTOCOL_VERSION = '0.4.0';

/** The versions that an moorage host can be asked for by name; it takes any patch version of them (B-24). */
export const supportedVersions: readonly string[] = [PROTOCOL_VERSION, '0.5.0', '0.3.0', '0.2.0', '0.1.0'];
