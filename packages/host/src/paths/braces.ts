/** How many patterns one glob may expand to: globs come from files and agents, and each pattern costs time. */
const MAX_ALTERNATIVES = 100;

/**
 * Expands `{a,b}` groups into one glob per alternative. Unclosed braces, and those without a comma, are literal. Throws a
 * RangeError past the bound.
 */
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

/** The first group of braces that is closed and has at least two options. */
function findGroup(glob: string): { before: string; options: string[]; after: string } | undefined {
  for (let start = indexOfUnescaped(glob, '{', 0); start >= 0; start = indexOfUnescaped(glob, '{', start + 1)) {
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

function indexOfUnescaped(text: string, char: string, from: number): number {
  for (let index = from; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === char) return index;
  }
  return -1;
}
