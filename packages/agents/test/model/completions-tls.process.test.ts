import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'moorage-model-tls-'));
const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
afterAll(() => rmSync(folder, { recursive: true }));

const model = new URL('../../dist/model/endpoint/', import.meta.url);

/** What a process of its own gets as an answer, or why it gets none: certificates are read when a process starts. */
async function asked(baseURL: string, environment: Record<string, string>): Promise<string> {
  const script = `
    const { completions } = await import('${new URL('completions.js', model)}');
    const { failureOf } = await import('${new URL('failure.js', model)}');
    const endpoint = { api: 'openai', baseURL: '${baseURL}' };
    const request = { endpoint, model: 'm', system: '', messages: [], tools: [] };
    try {
      for await (const part of completions(request, new AbortController().signal))
        if (part.type === 'text-delta') process.stdout.write(part.text);
    } catch (error) {
      process.stdout.write(failureOf(error, endpoint).message);
    }`;
  const env = { PATH: process.env.PATH, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  return stdout;
}

// No certificate can be made without openssl.
describe.skipIf(!makeCertificate())('an endpoint with a certificate that nobody has signed', () => {
  const server = createServer((_, response) => {
    const event = { choices: [{ index: 0, delta: { content: 'Hello' } }] };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(event)}\n\n`);
  });
  let baseURL: string;
  beforeAll(async () => {
    server.setSecureContext({ key: readFileSync(key), cert: readFileSync(cert) });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    baseURL = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(() => server.close());

  it('is not talked to, and the message says why', async () => {
    expect(await asked(baseURL, {})).toMatch(/connection to the model endpoint at https:.* failed \(DEPTH_ZERO_SELF_/);
  });

  it('is, once its certificate is among those that the user trusts', async () => {
    expect(await asked(baseURL, { NODE_EXTRA_CA_CERTS: cert })).toBe('Hello');
  });
});

function makeCertificate(): boolean {
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const about = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert];
  try {
    execFileSync(process.env.OPENSSL ?? 'openssl', [...request, ...about], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
