export interface StyledPiece {
  readonly text: string;
  readonly style: string;
}

/**
 * Parses the highlighter's markup into lines of styled text. The browser never gets it as HTML, so code cannot inject
 * anything into the page.
 */
export function styledLines(markup: string): StyledPiece[][] {
  const lines: StyledPiece[][] = [[]];
  const styles: string[] = [];
  for (const [, open, close, text] of markup.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    if (open !== undefined) styles.push(open);
    else if (close !== undefined) styles.pop();
    else {
      const style = styles.at(-1) ?? '';
      const [first = '', ...more] = unescaped(text ?? '').split('\n');
      if (first) lines.at(-1)?.push({ text: first, style });
      for (const line of more) lines.push(line ? [{ text: line, style }] : []);
    }
  }
  return lines;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (_all, name: string) => ENTITIES[name] ?? '');
}
