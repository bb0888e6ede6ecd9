/** The subjects of one host. A host may use no other: the bus enforces that by its credential. */
export function hostSubjects(host: string) {
  const base = `ahp.h.${host}`;
  return {
    all: `${base}.>`,
    /** Asked by a gateway, to open a connection for itself. */
    open: `${base}.open`,
    /** The same for a user. Hosts from before there were roles do not serve it: they would let everybody do everything. */
    enter: `${base}.enter`,
    /** Asked by a gateway, for a connection on which its clients get what they see alike. Older hosts do not serve it. */
    share: `${base}.share`,
    /** Said by the host again and again while it is there. */
    here: `${base}.here`,
    /** Said by the host when it stops. */
    gone: `${base}.gone`,
    /** Answered by a host that is there, so that no copy of it joins. */
    claim: `${base}.claim`,
    /** From a gateway to the host, and back; by connection. */
    toHost: (connection: string) => `${base}.c.${connection}.in`,
    fromHost: (connection: string) => `${base}.c.${connection}.out`,
  };
}

/** A word of a subject: ids of hosts and of connections are made of these. */
export const SUBJECT_WORD = /^[A-Za-z0-9_-]{1,64}$/;
