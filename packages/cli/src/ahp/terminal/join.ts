import type { Client } from '@ahpd/client';
import { terminalText } from '@ahpd/protocol';
import { note, print } from '../output/out.js';
import { plainLine } from '../output/plain.js';

/** Ctrl-]: as in telnet; no shell or editor uses it much. */
const LEAVE = 0x1d;
/** Normal screen, cursor shown, no colours, no mouse, no bracketed paste: whatever was on when we left. */
const RESET = '\x1b[?1049l\x1b[?25h\x1b[0m\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>';

/** Connects this terminal with one of the host, until its program ends (its code is given) or Ctrl-] is typed. */
export async function joinTerminal(client: Client, uri: string): Promise<number> {
  const mirror = await client.terminal(uri);
  const { stdin, stdout } = process;
  let leave = (_code: number) => {};
  const ended = new Promise<number>((resolve) => {
    leave = resolve;
  });
  const send = (action: Parameters<typeof mirror.dispatch>[0]) => {
    mirror.dispatch(action).catch((error: Error) => note(`\r\nahp: ${plainLine(error.message)}\r`));
  };
  const { claim } = mirror.confirmed;
  const mayType = claim.kind === 'session' || claim.clientId === client.clientId;
  const resize = () => send({ type: 'terminal/resized', cols: stdout.columns, rows: stdout.rows });
  const type = (data: Buffer) => {
    const end = data.indexOf(LEAVE);
    const text = decoder.decode(end < 0 ? data : data.subarray(0, end), { stream: true });
    if (text !== '' && mayType) send({ type: 'terminal/input', data: text });
    if (end >= 0) leave(0);
  };
  const decoder = new TextDecoder();
  const finish = () => leave(0);
  stdin.setRawMode(true);
  try {
    const { exitCode } = mirror.confirmed;
    print(terminalText(mirror.confirmed));
    if (exitCode !== undefined) return exitCode;
    mirror.onAction(({ action, rejectionReason }) => {
      if (rejectionReason !== undefined) return;
      if (action.type === 'terminal/data') print(action.data);
      if (action.type === 'terminal/exited') leave(action.exitCode ?? 0);
    });
    mirror.subscribe(() => {
      if (mirror.status === 'gone') leave(0);
    });
    if (!mayType) note('ahp: another client holds this terminal; you can watch it\r');
    if (mayType) {
      resize();
      stdout.on('resize', resize);
    }
    stdin.on('data', type);
    process.once('SIGTERM', finish);
    process.once('SIGHUP', finish);
    return await ended;
  } finally {
    stdout.off('resize', resize);
    stdin.off('data', type);
    stdin.setRawMode(false);
    stdin.pause();
    print(RESET);
    note('\nahp: left the terminal');
  }
}
