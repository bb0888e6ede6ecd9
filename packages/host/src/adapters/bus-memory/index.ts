import { type Bus, BusError, type BusMessage } from '../../ports/bus.js';

/** The place where the members of a fleet in one process meet. */
export interface MemoryBroker {
  /** Another connection to the same bus. */
  connect(): Bus;
  /** Loses everything that is sent, until `restart`. */
  stop(): void;
  /** Cuts all connections, as a broker that is restarted does. */
  restart(): void;
}

interface Member {
  readonly pattern: readonly string[];
  readonly group: string | undefined;
  readonly listener: (message: BusMessage, reply: (body: Uint8Array) => void) => void;
}

/** Bytes of one message; that of NATS with its default settings. */
const MAX_BYTES = 1024 * 1024;

/** A bus inside one process, for tests and for programs that run a whole fleet in themselves. */
export function createMemoryBroker(): MemoryBroker {
  const members = new Set<Member>();
  const stateListeners = new Set<(isUp: boolean) => void>();
  let isUp = true;

  const deliver = (message: BusMessage, reply: (body: Uint8Array) => void): number => {
    const words = message.subject.split('.');
    const groups = new Set<string>();
    let receivers = 0;
    for (const member of members) {
      if (!matches(member.pattern, words)) continue;
      if (member.group !== undefined && groups.has(member.group)) continue;
      if (member.group !== undefined) groups.add(member.group);
      receivers++;
      setImmediate(() => {
        if (isUp && members.has(member)) member.listener(message, reply);
      });
    }
    return receivers;
  };

  const connect = (): Bus => {
    const own = new Set<Member>();
    const waiting = new Set<(error: BusError) => void>();
    let closed = false;
    const down = () => new BusError('down', closed ? 'the bus is closed' : 'the bus is down');
    const join = (pattern: string, listener: Member['listener'], group?: string) => {
      const member = { pattern: pattern.split('.'), group, listener };
      members.add(member);
      own.add(member);
      return {
        end: () => {
          members.delete(member);
          own.delete(member);
        },
      };
    };
    return {
      maxBytes: MAX_BYTES,
      get isUp() {
        return isUp && !closed;
      },
      publish: (subject, body) => {
        if (isUp && !closed) deliver({ subject, body: body.slice() }, () => {});
      },
      subscribe: (pattern, listener) => join(pattern, listener),
      serve: (pattern, answer, group) =>
        join(pattern, (message, reply) => void answer(message).then(reply, () => {}), group),
      request: (subject, body, timeoutMs) =>
        new Promise((resolve, reject) => {
          if (!isUp || closed) return reject(down());
          const settle = () => {
            clearTimeout(timer);
            waiting.delete(fail);
          };
          const fail = (error: BusError) => {
            settle();
            reject(error);
          };
          const timer = setTimeout(() => fail(new BusError('late', `no answer on ${subject} in time`)), timeoutMs);
          waiting.add(fail);
          const receivers = deliver({ subject, body: body.slice() }, (answer) => {
            if (!waiting.has(fail) || !isUp) return;
            settle();
            resolve(answer.slice());
          });
          if (receivers === 0) fail(new BusError('unserved', `nobody serves ${subject}`));
        }),
      flush: () => (isUp && !closed ? Promise.resolve() : Promise.reject(down())),
      onState: (listener) => {
        const own = (up: boolean) => listener(up); // the same function may be given twice
        stateListeners.add(own);
        return { end: () => void stateListeners.delete(own) };
      },
      close: async () => {
        closed = true;
        for (const member of own) members.delete(member);
        for (const fail of [...waiting]) fail(down());
      },
    };
  };

  const become = (up: boolean) => {
    if (isUp === up) return;
    isUp = up;
    for (const listener of stateListeners) listener(up);
  };
  return { connect, stop: () => become(false), restart: () => become(true) };
}

function matches(pattern: readonly string[], words: readonly string[]): boolean {
  for (const [index, part] of pattern.entries()) {
    if (part === '>') return words.length > index;
    if (words[index] === undefined || (part !== '*' && part !== words[index])) return false;
  }
  return pattern.length === words.length;
}
