/** What a client of version 1 may ask for. Later versions before 0.4 add to it; chats came with 0.4. */
const V1 = [
  'initialize',
  'reconnect',
  'ping', // not in version 1, but it is always answered
  'subscribe',
  'createSession',
  'disposeSession',
  'createTerminal',
  'disposeTerminal',
  'listSessions',
  'fetchTurns',
  'authenticate',
  'resolveSessionConfig',
  'sessionConfigCompletions',
  'resourceRead',
  'resourceWrite',
  'resourceList',
  'resourceCopy',
  'resourceMove',
  'resourceDelete',
] as const;

export const v1Methods: ReadonlySet<string> = new Set(V1);

export const methods01: ReadonlySet<string> = new Set([...V1, 'completions', 'resourceRequest']);

export const methods02: ReadonlySet<string> = new Set([
  ...methods01,
  'resourceResolve',
  'resourceMkdir',
  'createResourceWatch',
  'invokeChangesetOperation',
]);
