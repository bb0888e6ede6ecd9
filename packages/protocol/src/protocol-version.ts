/** The version that this package speaks natively: its types, schemas and reducers are those of this version. */
export const PROTOCOL_VERSION = '1.0.0';
