import { type ChannelKind, ExtensionMeta, isObject, type JsonObject } from '@moorage/protocol';

/**
 * A state in which what moorage adds to `_meta` has its prefix. Until format 3 most of it had none, so it is looked for
 * only where moorage put it, and only if it looks like that: clients and agents may use the same words.
 */
export function withPrefixes(kind: ChannelKind, state: JsonObject): JsonObject {
  switch (kind) {
    case 'chat':
      return inMembers(state, {
        turns: each(inTurn),
        activeTurn: one(inTurn),
        steeringMessage: one(withMessage),
        queuedMessages: each(withMessage),
      });
    case 'session':
      return onSession(state);
    case 'annotations':
      return inMembers(state, { annotations: each(onAnnotation) });
    default:
      return state;
  }
}

export function withPrefixesInAction(action: JsonObject): JsonObject {
  switch (action.type) {
    case 'chat/turnStarted':
    case 'chat/pendingMessageSet':
      return withMessage(action);
    case 'chat/responsePart':
      return inMembers(action, { part: one(inPart) });
    case 'chat/usage':
      return inMembers(action, { usage: one(onUsage) });
    case 'session/metaChanged':
      return onSession(action);
    case 'annotations/set':
      return inMembers(action, { annotation: one(onAnnotation) });
    default:
      return typeof action.toolCallId === 'string' ? onToolCall(action) : action;
  }
}

function inTurn(turn: JsonObject): JsonObject {
  return inMembers(withMessage(turn), { responseParts: each(inPart), usage: one(onUsage) });
}

/** A turn, a pending message or an action, whose message is changed. */
function withMessage(holder: JsonObject): JsonObject {
  return inMembers(holder, { message: one((message) => inMembers(message, { attachments: each(onAttachment) })) });
}

function inPart(part: JsonObject): JsonObject {
  if (part.kind === 'toolCall') return inMembers(part, { toolCall: one(onToolCall) });
  if (part.kind !== 'systemNotification') return part;
  const inMeta = one((meta) => inMembers(meta, { steering: one(withMessage) }));
  return prefixed(inMembers(part, { _meta: inMeta }), { steering: isObject });
}

function onToolCall(call: JsonObject): JsonObject {
  return prefixed(call, { durationMs: isNumber, readOnlyHint: isTrue });
}

function onUsage(usage: JsonObject): JsonObject {
  return prefixed(usage, { context: isObject });
}

/** What completions put into attachments. */
function onAttachment(attachment: JsonObject): JsonObject {
  const { type, displayKind, _meta } = attachment;
  if (type === 'resource' && (displayKind === 'file' || displayKind === 'symbol'))
    return prefixed(attachment, { path: isText });
  const isCommand = isObject(_meta) && ExtensionMeta.command in _meta;
  return isCommand ? prefixed(attachment, { description: isText, hint: isText }) : attachment;
}

function onSession(holder: JsonObject): JsonObject {
  const isFate = (value: unknown) => isObject(value) && typeof value.kept === 'boolean';
  return prefixed(holder, { worktree: isFate, changesProblem: isText });
}

function onAnnotation(annotation: JsonObject): JsonObject {
  return prefixed(annotation, { side: (side) => side === 'before' });
}

/** The same with these members of its `_meta` under their new names, if they hold what is expected. */
function prefixed(
  holder: JsonObject,
  expected: { readonly [name in ExtensionMeta]?: (value: unknown) => boolean },
): JsonObject {
  const { _meta } = holder;
  if (!isObject(_meta)) return holder;
  const isExpected = (name: string): name is ExtensionMeta =>
    Object.hasOwn(expected, name) && expected[name as ExtensionMeta]?.(_meta[name]) === true;
  if (!Object.keys(_meta).some(isExpected)) return holder;
  const renamed = Object.entries(_meta).map(([name, value]) => [isExpected(name) ? ExtensionMeta[name] : name, value]);
  return { ...holder, _meta: Object.fromEntries(renamed) };
}

type Change = (member: unknown) => unknown;

/** The same object with these members changed, if it has them. */
function inMembers(object: JsonObject, changes: { readonly [name: string]: Change }): JsonObject {
  const members = Object.entries(changes).filter(([name]) => object[name] !== undefined);
  if (members.length === 0) return object;
  return { ...object, ...Object.fromEntries(members.map(([name, change]) => [name, change(object[name])])) };
}

/** For a member that is an object. */
function one(change: (member: JsonObject) => JsonObject): Change {
  return (member) => (isObject(member) ? change(member) : member);
}

/** For a member that is a list of objects. */
function each(change: (member: JsonObject) => JsonObject): Change {
  return (list) => (Array.isArray(list) ? list.map(one(change)) : list);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function isTrue(value: unknown): boolean {
  return value === true;
}
