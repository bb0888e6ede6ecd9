import { isObject, type URI } from '@moorage/protocol';

/** The members of messages, in any version, that may hold the URI of a channel, or a list of such URIs. */
export const URI_MEMBERS: ReadonlySet<string> = new Set([
  'after',
  'changeset',
  'channel',
  'chat',
  'chats',
  'defaultChat',
  'initialSubscriptions',
  'missing',
  'other',
  'primarySession',
  'resource',
  'session',
  'sessions',
  'subscriptions',
  'terminal',
  'uri',
  'uriTemplate',
]);

/** The members that may hold the URI of a file or folder, besides `resource` and `uri`. */
export const FILE_MEMBERS: ReadonlySet<string> = new Set([
  'cwd',
  'defaultDirectory',
  'destination',
  'directory',
  'folder',
  'replacement',
  'root',
  'source',
  'workingDirectories',
  'workingDirectory',
]);

/** Members whose contents are the client's or a tool's own. What a client publishes has the names that it gives it. */
const OPAQUE_MEMBERS: ReadonlySet<string> = new Set([
  '_meta',
  'config',
  'customizations',
  'structuredContent',
  'inputSchema',
]);

/** The value with the URIs in it replaced; the same object if there was nothing to replace. */
export function mapUris<T>(value: T, map: (uri: URI) => URI): T {
  return mapped(value, false, map) as T;
}

function mapped(value: unknown, isUri: boolean, map: (uri: URI) => URI): unknown {
  if (typeof value === 'string') return isUri ? map(value) : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapped(item, isUri, map));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value)) {
    if (OPAQUE_MEMBERS.has(name)) continue;
    const next = mapped(member, holdsUri(name), map);
    if (next === member) continue;
    copy ??= { ...value };
    copy[name] = next;
  }
  return copy ?? value;
}

/**
 * The same for those URIs in a message as JSON text that begin with something, without parsing it: chats may have megabytes,
 * and streams thousands of messages. A quote inside of a JSON string is escaped, so what follows an unescaped one here is a
 * string of its own.
 */
export function mapUrisInText(json: string, beginning: 'ahp-' | 'file:', map: (uri: URI) => URI): string {
  const quoted = `"${beginning}`;
  let result = '';
  let copied = 0;
  for (let quote = json.indexOf(quoted); quote >= 0; quote = json.indexOf(quoted, quote + 1)) {
    const end = json.indexOf('"', quote + 1);
    if (end < 0 || !holdsUri(memberOf(json, quote))) continue;
    const uri = json.slice(quote + 1, end);
    const next = uri.includes('\\') ? uri : map(uri);
    if (next === uri) continue;
    result += json.slice(copied, quote + 1) + next;
    copied = end;
  }
  return copied === 0 ? json : result + json.slice(copied);
}

function holdsUri(member: string): boolean {
  return URI_MEMBERS.has(member) || FILE_MEMBERS.has(member);
}

/** The name of the member whose value, or an item of whose value, begins at a position; empty if it is neither. */
function memberOf(json: string, start: number): string {
  const before = json[start - 1];
  if (before === ':') return json[start - 2] === '"' ? json.slice(json.lastIndexOf('"', start - 3) + 1, start - 2) : '';
  if (before !== '[' && before !== ',') return '';
  const list = json.lastIndexOf('[', start);
  const isOfStrings = list > 0 && /^\[(?:"[^"\\]*",)*$/.test(json.slice(list, start));
  return isOfStrings && json[list - 1] === ':' ? memberOf(json, list) : '';
}
