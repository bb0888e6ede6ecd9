/** Patterns that the braces of one glob may stand for. */
const MAX_ALTERNATIVES = 100;

/** A glob without braces for each thing that it can stand for. Braces that are not closed are ordinary characters. */
export function expandBraces(glob: string): string[] {
  const group = findGroup(glob);
  if (!group) return [glob];
  const expanded: string[] = [];
  for (const option of group.options) {
    for (const one of expandBraces(`${group.before}${option}${group.after}`)) {
      if (expanded.push(one) > MAX_ALTERNATIVES) {
        throw new RangeError(`a glob can stand for ${MAX_ALTERNATIVES} alternatives`);
      }
    }
  }
  return expanded;
}

/** The first group of braces that is closed and offers a choice. */
function findGroup(glob: string): { before: string; options: string[]; after: string } | undefined {
  for (let start = indexOfPlain(glob, '{', 0); start >= 0; start = indexOfPlain(glob, '{', start + 1)) {
    const options: string[] = [];
    let depth = 0;
    let from = start + 1;
    for (let index = start + 1; index < glob.length; index++) {
      const char = glob[index];
      if (char === '\\') index++;
      else if (char === '{') depth++;
      else if (char === ',' && depth === 0) {
        options.push(glob.slice(from, index));
        from = index + 1;
      } else if (char === '}' && depth > 0) depth--;
      else if (char === '}') {
        options.push(glob.slice(from, index));
        if (options.length > 1) return { before: glob.slice(0, start), options, after: glob.slice(index + 1) };
        break;
      }
    }
  }
  return undefined;
}

function indexOfPlain(text: string, char: string, from: number): number {
  for (let index = from; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === char) return index;
  }
  return -1;
}
