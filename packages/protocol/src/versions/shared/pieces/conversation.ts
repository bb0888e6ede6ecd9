import { asList, mapMember, mapObject, mapObjects, mapShownObjects, type WireObject } from '../wire.js';
import { type Form, type Forms, type HidingForm, inTurn } from './forms.js';

/** A message with its attachments. */
export function messageForm({ message, attachment }: Forms): Form | undefined {
  return inTurn(message, attachment && onEach('attachments', attachment));
}

/** A tool call with what is inside it. */
export function callForm(forms: Forms): Form | undefined {
  return inTurn(forms.toolCall, contentForm(forms), on('userSuggestion', messageForm(forms)));
}

/** The `content` of a tool's result, or of a call that runs. */
export function contentForm({ toolContent }: Forms): Form | undefined {
  if (!toolContent) return undefined;
  return (piece, about) =>
    mapMember(piece, 'content', (content) => {
      if (!Array.isArray(content)) return content;
      const changed = toolContent(asList(content), about);
      return isSameList(changed, content) ? content : changed;
    });
}

export function partForm(forms: Forms): HidingForm | undefined {
  const { part = (piece: WireObject) => piece } = forms;
  const call = on('toolCall', callForm(forms));
  if (!forms.part && !call) return undefined;
  return (piece, about) => {
    if (isText(piece)) return piece;
    const own = part(piece, about);
    return own && call ? call(own, about) : own;
  };
}

export function turnForm(forms: Forms): Form | undefined {
  return inTurn(forms.turn, on('message', messageForm(forms)), onEachShown('responseParts', partForm(forms)));
}

/** Everything in the state of a chat. */
export function chatForm(forms: Forms): Form | undefined {
  const turn = turnForm(forms);
  const message = messageForm(forms);
  const pending = on('message', message);
  return inTurn(
    forms.chat,
    forms.chatEntry,
    onEach('turns', turn),
    on('activeTurn', turn),
    on('steeringMessage', pending),
    onEach('queuedMessages', pending),
    on('draft', message),
  );
}

/** A form for a member that is an object. */
export function on(name: string, form: Form | undefined): Form | undefined {
  return form && ((piece, about) => mapObject(piece, name, (value) => form(value, about)));
}

/** A form for the objects in a member that is a list. */
export function onEach(name: string, form: Form | undefined): Form | undefined {
  return form && ((piece, about) => mapMember(piece, name, (list) => mapObjects(list, (value) => form(value, about))));
}

/** The same for objects that may be hidden. */
export function onEachShown(name: string, form: HidingForm | undefined): Form | undefined {
  return (
    form && ((piece, about) => mapMember(piece, name, (list) => mapShownObjects(list, (value) => form(value, about))))
  );
}

/** Text is most of what turns are made of, and the same in all versions. */
function isText({ kind }: WireObject): boolean {
  return kind === 'markdown' || kind === 'reasoning';
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
