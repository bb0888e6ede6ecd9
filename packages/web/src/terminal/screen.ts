import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';

/** Lines of scrollback. The host keeps more. */
const SCROLLBACK_LINES = 5_000;

export interface Screen {
  /** Replaces everything on the screen. */
  show(text: string): void;
  /** Appends output. */
  write(text: string): void;
  fit(): { cols: number; rows: number } | undefined;
  onInput(listener: (data: string) => void): void;
  setInteractive(interactive: boolean): void;
  focus(): void;
  dispose(): void;
}

/** A terminal emulator. It only draws what programs print: escape sequences cannot open links or use the clipboard or title. */
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
  answerNothing(terminal);
  const fitter = new FitAddon();
  terminal.loadAddon(fitter);
  terminal.open(place);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const onScheme = () => {
    terminal.options.theme = themeOf(place);
  };
  scheme.addEventListener('change', onScheme);
  return {
    show(text) {
      terminal.reset();
      terminal.write(text);
    },
    write: (text) => terminal.write(text),
    fit() {
      const size = fitter.proposeDimensions();
      if (!size || !Number.isFinite(size.cols)) return undefined;
      terminal.resize(Math.max(size.cols, 2), Math.max(size.rows, 1));
      return { cols: terminal.cols, rows: terminal.rows };
    },
    onInput: (listener) =>
      void terminal.onData((data) => {
        if (data !== FOCUS_IN && data !== FOCUS_OUT) listener(data);
      }),
    setInteractive: (interactive) => {
      terminal.options.disableStdin = !interactive;
      terminal.options.cursorBlink = false;
    },
    focus: () => terminal.focus(),
    dispose() {
      scheme.removeEventListener('change', onScheme);
      terminal.dispose();
    },
  };
}

/** Whether this page has the focus. Programs that ask for it would also get it for output of long ago. */
const FOCUS_IN = '\x1b[I';
const FOCUS_OUT = '\x1b[O';

/**
 * Lets the emulator answer no queries: they may be old, and everyone who watches would answer. The host answers them, when
 * the program asks.
 */
function answerNothing({ parser }: Terminal): void {
  const taken = () => true;
  for (const final of ['c', 'n', 't']) parser.registerCsiHandler({ final }, taken);
  for (const prefix of ['>', '=']) parser.registerCsiHandler({ prefix, final: 'c' }, taken);
  parser.registerCsiHandler({ prefix: '?', final: 'n' }, taken);
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, taken);
  parser.registerCsiHandler({ prefix: '?', final: 'u' }, taken);
  parser.registerCsiHandler({ intermediates: '$', final: 'p' }, taken);
  parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, taken);
  for (const intermediates of ['$', '+']) parser.registerDcsHandler({ intermediates, final: 'q' }, taken);
  // Colours of the palette and of the text; setting them is not worth a way to ask for them.
  for (const command of [4, 10, 11, 12]) parser.registerOscHandler(command, (text) => text.includes('?'));
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
