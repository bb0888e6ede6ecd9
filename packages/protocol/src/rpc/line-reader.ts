/** Cuts a stream of text into lines. The returned function says false once a line is too long to go on reading. */
export function lineReader(maxChars: number, onLine: (line: string) => void): (chunk: string) => boolean {
  let parts: string[] = []; // joined once per line, because a long one comes in thousands of chunks
  let chars = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      parts.push(chunk.slice(start, end));
      const line = parts.join('');
      parts = [];
      chars = 0;
      start = end + 1;
      if (line.trim() !== '') onLine(line);
    }
    parts.push(chunk.slice(start));
    chars += chunk.length - start;
    return chars <= maxChars;
  };
}
