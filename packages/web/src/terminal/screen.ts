import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { type TerminalState, terminalText } from '@ahpd/protocol';

/** Lines that can be scrolled back; the host keeps more bytes than this shows. */
const SCROLLBACK_LINES = 5_000;

export interface Screen {
  /** Brings the screen up to what the channel says. */
  show(state: TerminalState): void;
  fit(): { cols: number; rows: number } | undefined;
  onInput(listener: (data: string) => void): void;
  setInteractive(interactive: boolean): void;
  focus(): void;
  dispose(): void;
}

/** A terminal on the page. What programs print is drawn, never obeyed: no links, no clipboard, no titles from here. */
export function openScreen(place: HTMLElement): Screen {
  const terminal = new Terminal({
    fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
    fontSize: 12,
    lineHeight: 1.2,
    scrollback: SCROLLBACK_LINES,
    disableStdin: true,
    theme: themeOf(place),
    linkHandler: { activate: () => {} },
    screenReaderMode: true,
  });
  const fitter = new FitAddon();
  terminal.loadAddon(fitter);
  terminal.open(place);
  let written = '';
  return {
    show(state) {
      const text = terminalText(state);
      if (continues(text, written)) terminal.write(text.slice(written.length));
      else {
        terminal.reset();
        terminal.write(text);
      }
      written = text;
    },
    fit() {
      const size = fitter.proposeDimensions();
      if (!size || !Number.isFinite(size.cols)) return undefined;
      terminal.resize(Math.max(size.cols, 2), Math.max(size.rows, 1));
      return { cols: terminal.cols, rows: terminal.rows };
    },
    onInput: (listener) => void terminal.onData(listener),
    setInteractive: (interactive) => {
      terminal.options.disableStdin = !interactive;
      terminal.options.cursorBlink = false;
    },
    focus: () => terminal.focus(),
    dispose: () => terminal.dispose(),
  };
}

/** Output comes in at the end, unless the terminal was cleared or its beginning was dropped. */
function continues(text: string, written: string): boolean {
  return text.length >= written.length && text.slice(written.length - 64, written.length) === written.slice(-64);
}

function themeOf(place: HTMLElement) {
  const style = getComputedStyle(place);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    background: color('--terminal-bg'),
    foreground: color('--terminal-text'),
    cursor: color('--accent'),
    selectionBackground: color('--selection'),
  };
}
