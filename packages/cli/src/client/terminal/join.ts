import { type Client, ConnectError } from '@moorage/client';
import { terminalText, terminalUri } from '@moorage/protocol';
import { QueryFilter, withoutQueries } from '@moorage/protocol/internal';
import { ExitCode } from '../errors.js';
import { lost } from '../host/open.js';
import { note, print } from '../output/out.js';
import { plainLine } from '../output/plain.js';

/** Ctrl-], as in telnet; shells and editors hardly use it. */
const LEAVE = 0x1d;
/** Turns off what a program may have left on: alternate screen, hidden cursor, colours, mouse, bracketed paste. */
const RESET = '\x1b[?1049l\x1b[?25h\x1b[0m\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>';

/** How joining ended: the exit code, and what to tell the user. */
interface End {
  readonly code: number;
  readonly message: string;
}

/** Connects this terminal with one of the host until Ctrl-] is typed or its program ends, whose exit code is returned. */
export async function joinTerminal(client: Client, uri: string): Promise<number> {
  const mirror = await client.terminal(uri);
  const { stdin, stdout } = process;
  let leave = (_end: End) => {};
  const ended = new Promise<End>((resolve) => {
    leave = resolve;
  });
  const send = (action: Parameters<typeof mirror.dispatch>[0]) => {
    mirror.dispatch(action).catch((error: Error) => note(`\r\nmoorage: ${plainLine(error.message)}\r`));
  };
  const { claim } = mirror.confirmed;
  const mayType = claim.kind === 'session' || claim.clientId === client.clientId;
  const resize = () => send({ type: 'terminal/resized', cols: stdout.columns, rows: stdout.rows });
  const type = (data: Buffer) => {
    const end = data.indexOf(LEAVE);
    const text = decoder.decode(end < 0 ? data : data.subarray(0, end), { stream: true });
    if (text !== '' && mayType) send({ type: 'terminal/input', data: text });
    if (end >= 0) leave(LEFT);
  };
  const decoder = new TextDecoder();
  // This terminal would answer what programs ask theirs, also long ago; that is for the host to answer.
  const queries = new QueryFilter();
  const show = (text: string) => print(withoutQueries(queries, text));
  const finish = () => leave(LEFT);
  let end: End = LEFT;
  stdin.setRawMode(true);
  try {
    const { lifecycle } = mirror.confirmed;
    show(terminalText(mirror.confirmed));
    if (lifecycle.status === 'exited') {
      end = endedWith(lifecycle.exitCode);
      return end.code;
    }
    mirror.onAction(({ action, rejectionReason }) => {
      if (rejectionReason !== undefined) return;
      if (action.type === 'terminal/data') show(action.data);
      if (action.type === 'terminal/exited') leave(endedWith(action.exitCode));
    });
    mirror.subscribe(() => {
      if (mirror.status === 'gone' && client.status !== 'closed') leave(GONE);
    });
    client.onStatus((status, error) => {
      // Refused means that it was joined elsewhere, which is as good as leaving it.
      const isTakenOver = error instanceof ConnectError && error.kind === 'refused';
      if (status === 'closed') leave(isTakenOver ? LEFT : connectionLost(uri));
    });
    if (!mayType) note('moorage: another client holds this terminal; you can watch it\r');
    if (mayType) {
      resize();
      stdout.on('resize', resize);
    }
    stdin.on('data', type);
    process.once('SIGTERM', finish);
    process.once('SIGHUP', finish);
    end = await ended;
    return end.code;
  } finally {
    stdout.off('resize', resize);
    stdin.off('data', type);
    stdin.setRawMode(false);
    stdin.pause();
    print(RESET);
    note(`\nmoorage: ${end.message}`);
  }
}

const LEFT: End = { code: ExitCode.Done, message: 'left the terminal' };
const GONE: End = { code: ExitCode.Failed, message: 'the terminal was ended' };

function endedWith(code = 0): End {
  return { code, message: 'the program has ended' };
}

function connectionLost(uri: string): End {
  const id = plainLine(terminalUri.parse(uri) ?? uri).slice(0, 8);
  return { code: ExitCode.Failed, message: lost(`term attach ${id}`) };
}
