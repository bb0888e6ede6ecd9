// The usual immutable reducer, as AHP libraries write it: spread along the path, `map` or `findIndex` over the list,
// and the status computed anew from all parts after every action. The baseline that ours is measured against.

export function reduceNaively(state, action) {
  switch (action.type) {
    case 'chat/delta':
      return refreshStatus(appendDelta(state, action));
    case 'terminal/data':
      return appendData(state, action.data);
    case 'changeset/fileSet':
      return setFile(state, action.file);
    default:
      return state;
  }
}

function appendDelta(state, { turnId, partId, content }) {
  const { activeTurn } = state;
  if (!activeTurn || activeTurn.id !== turnId) return state;
  let found = false;
  const responseParts = activeTurn.responseParts.map((part) => {
    if (found || idOf(part) !== partId) return part;
    found = true;
    return part.kind === 'markdown' ? { ...part, content: part.content + content } : part;
  });
  return found ? { ...state, activeTurn: { ...activeTurn, responseParts } } : state;
}

function idOf(part) {
  return part.kind === 'toolCall' ? part.toolCall.toolCallId : 'id' in part ? part.id : undefined;
}

function refreshStatus(state) {
  return { ...state, status: (state.status & ~31) | activityOf(state) };
}

function activityOf({ activeTurn }) {
  const waits = (part) =>
    (part.kind === 'inputRequest' && part.response === undefined) ||
    (part.kind === 'toolCall' &&
      (part.toolCall.status === 'pending-confirmation' || part.toolCall.status === 'pending-result-confirmation'));
  if (activeTurn?.responseParts.some(waits)) return 24;
  return activeTurn ? 8 : 1;
}

function appendData(state, data) {
  const content = [...state.content];
  const tail = content[content.length - 1];
  if (tail?.type === 'command' && !tail.isComplete) {
    content[content.length - 1] = { ...tail, output: tail.output + data };
  } else if (tail?.type === 'unclassified') {
    content[content.length - 1] = { ...tail, value: tail.value + data };
  } else {
    content.push({ type: 'unclassified', value: data });
  }
  return { ...state, content };
}

function setFile(state, file) {
  const index = state.files.findIndex((candidate) => candidate.id === file.id);
  if (index < 0) return { ...state, files: [...state.files, file] };
  const files = [...state.files];
  files[index] = file;
  return { ...state, files };
}
