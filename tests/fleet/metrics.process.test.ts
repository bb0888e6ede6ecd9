import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { missingEngines } from '../support/fleet/engines.js';
import { Fleet } from '../support/fleet/fleet.js';
import { metricsIn } from '../support/otlp.js';

const WAIT = { timeout: 30_000, interval: 100 };

describe.skipIf(missingEngines().length > 0)('a fleet that exports metrics', () => {
  const fleet = new Fleet();
  const names = new Set<string>();
  let receiver: Server;
  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      if (request.url === '/v1/metrics') for (const name of metricsIn(JSON.parse(body)).keys()) names.add(name);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    fleet.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    fleet.env.OTEL_METRIC_EXPORT_INTERVAL = '500';
    await fleet.start();
  }, 120_000);
  afterAll(async () => {
    await fleet.end();
    receiver.close();
  });

  it('says how gateways and hosts are, by the names that are documented', async () => {
    await fleet.host('one', '--enrol', await fleet.invitation());
    await vi.waitFor(async () => {
      const ran = await fleet.moorage('run', '--host', 'fleet/one', '--folder=@host', '--yes', '/say hello');
      expect(ran).toMatchObject({ code: 0 });
    }, WAIT);
    const wanted = ['hosts', 'sessions', 'clients', 'append.duration', 'append.hosts', 'batches', 'unshipped_ticks'];
    await vi.waitFor(() => {
      expect(wanted.filter((name) => !names.has(`ahp.fleet.${name}`))).toEqual([]);
    }, WAIT);
  });
});
