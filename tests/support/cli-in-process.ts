import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { Ran } from './cli.js';

/** What a run of the command line has instead of what this process has. */
interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly cwd: () => string;
  exitCode: number | undefined;
}

const machines = new AsyncLocalStorage<Machine>();
const real = globalThis.process;
const realCwd = real.cwd.bind(real);

/**
 * Runs a client's command of `moorage` in this process, as it is built: starting another one takes ten times as long as most commands.
 * As in a script there is no terminal and no input. Several may run at once, each with an environment, a folder and output of its own.
 */
export async function moorageInProcess(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Ran> {
  const { readCommandLine } = await import('../../packages/cli/dist/command-line.js');
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const stdin = Readable.from([]).resume();
  await once(stdin, 'end');
  const machine = { env, stdin, stdout: into(out), stderr: into(err), cwd: () => cwd, exitCode: undefined };
  await machines.run(machine, async () => {
    install();
    const { runClientCommand } = await import('../../packages/cli/dist/client-commands.js');
    await runClientCommand(readCommandLine(args).args);
  });
  return { code: machine.exitCode ?? 0, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

function into(chunks: Buffer[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
}

/** What runs outside of a command sees the process as it is. */
function install(): void {
  if (globalThis.process !== real) return;
  real.cwd = () => (machines.getStore()?.cwd ?? realCwd)(); // the one that `path.resolve` asks
  globalThis.process = new Proxy(real, {
    get(target, name) {
      const machine = machines.getStore();
      return machine && name in machine ? machine[name as keyof Machine] : Reflect.get(target, name);
    },
    set(target, name, value) {
      const machine = machines.getStore();
      return Reflect.set(machine && name in machine ? machine : target, name, value);
    },
  });
}
