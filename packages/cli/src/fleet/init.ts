import { createFleetFolder } from '@moorage/fleet';
import { refuseOpenAddress } from '../serve/checked-options.js';
import { UsageError } from '../usage-error.js';

export interface FleetInitOptions {
  readonly listen: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecure?: boolean;
  readonly json?: boolean;
}

/** `moorage fleet init`: makes the folder of a fleet, and says what to start next. */
export async function initFleet(folder: string, options: FleetInitOptions): Promise<void> {
  const { listen, tlsCert, tlsKey } = options;
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^:]+):(\d{1,5})$/i.exec(listen) ?? [];
  if (host === undefined) throw new UsageError(`--listen: expected an address such as 127.0.0.1:4222, not ${listen}`);
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw new UsageError('--tls-cert and --tls-key go together');
  refuseOpenAddress({ ...options, host: host.replace(/^\[|\]$/g, '') });
  const tls = tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : undefined;
  const path = await createFleetFolder(folder, { listen, ...(tls && { tls }) });
  const isAnywhere = host === '0.0.0.0' || host === '[::]';
  const bus = `${tls ? 'tls' : 'nats'}://${isAnywhere ? 'NAME-OF-THIS-MACHINE' : host}:${port}`;
  const nats = `nats-server -c ${path}/nats.conf`;
  const gateway = `moorage gateway --keys ${path} --bus ${bus} --store postgres://USER@HOST/DATABASE`;
  if (options.json) process.stdout.write(`${JSON.stringify({ folder: path, bus, nats, gateway })}\n`);
  else process.stdout.write(textOf(path, nats, gateway));
}

function textOf(path: string, nats: string, gateway: string): string {
  return `The keys of the fleet are in ${path}. Whoever has them can let machines in: keep the folder to yourself, and back it up.

Start next:
  ${nats}
  ${gateway}
`;
}
