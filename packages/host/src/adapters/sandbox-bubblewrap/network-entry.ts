/**
 * The first program in a sandbox that may reach listed hosts only. It has no network but its own loopback, on which it passes
 * connections on to the host's proxy: programs know proxies by address and port, not by a socket in the file system.
 * Arguments: the socket, the port, and the program with its arguments.
 */
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

const [socket = '', port = '', command = '', ...args] = process.argv.slice(2);

const server = createServer((inside) => {
  const outside = connect(socket);
  inside.on('error', () => outside.destroy()).on('close', () => outside.destroy());
  outside.on('error', () => inside.destroy()).on('close', () => inside.destroy());
  inside.pipe(outside).pipe(inside);
});

server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(command, args, { stdio: 'inherit' });
  child.on('error', ({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exit(127);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal === 'SIGKILL' ? 9 : 15)));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
});
