import { UsageError } from '../usage-error.js';

export function assertBusUrl(url: string): void {
  if (!/^(nats|tls):\/\/[^/\s]+\/?$/.test(url))
    throw new UsageError(`${url} is no address of a bus: expected one such as nats://bus.example:4222`);
}
