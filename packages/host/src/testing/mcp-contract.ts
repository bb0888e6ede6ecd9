import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Mcp, type McpConnection, type McpConnectOptions, McpError, type McpHandlers } from '../ports/mcp.js';
import { guardedServer, scriptedServer } from './mcp-contract-server.js';

/** The contract of Mcp, as a vitest suite. */
export function describeMcp(name: string, make: () => Mcp): void {
  describe(`${name} is an Mcp`, () => {
    let folder: string;
    let reported: string[];
    beforeAll(() => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-mcp-')));
      process.env.MCP_CONTRACT_SECRET = 'secret of the host';
    });
    afterAll(() => {
      rmSync(folder, { recursive: true, force: true });
      delete process.env.MCP_CONTRACT_SECRET;
    });
    beforeEach(() => {
      reported = [];
    });

    const handlers: McpHandlers = {
      elicit: async ({ message, schema }) => ({
        action: 'accept',
        content: { message, field: Object.keys(schema.properties ?? {})[0] ?? '' },
      }),
      listChanged: (list) => reported.push(`${list} changed`),
      closed: (error) => reported.push(`closed: ${error.message}`),
    };
    const connect = (options: Partial<McpConnectOptions> = {}) =>
      make().connect({
        launch: scriptedServer({ env: { GIVEN: 'to it' } }),
        folder,
        signal: new AbortController().signal,
        handlers,
        ...options,
      });
    const call = (connection: McpConnection, tool: string, input = {}, signal = new AbortController().signal) =>
      connection.callTool({
        name: tool,
        input,
        signal,
        onProgress: ({ progress, total, message }) => reported.push(`${progress} of ${total}: ${message}`),
      });
    const answer = async (connection: McpConnection, tool: string, input = {}) => {
      const [content] = (await call(connection, tool, input)).content;
      return JSON.parse(content?.kind === 'text' ? content.text : 'null');
    };
    /** How a promise failed; checks that the message reveals nothing of the launch. */
    const failure = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => undefined,
        (cause: unknown) => cause,
      );
      expect(error).toBeInstanceOf(McpError);
      if (!(error instanceof McpError)) throw error;
      for (const hidden of ['to it', 'launch-secret', process.execPath]) expect(error.message).not.toContain(hidden);
      return error.failure;
    };
    const expectReported = (...events: string[]) => vi.waitFor(() => expect(reported).toEqual(events), PATIENT);

    describe('with a server that works', () => {
      let server: McpConnection;
      beforeAll(async () => {
        server = await connect({
          handlers: {
            ...handlers,
            sample: async ({ messages }) => ({ text: `on ${messages[0]?.text}`, model: 'm', stopReason: 'endTurn' }),
          },
        });
      });
      afterAll(() => server.close());

      it('reports its capabilities and all of its tools', async () => {
        expect(server.offers).toEqual({ tools: { listChanged: true }, logging: true });
        const tools = await server.listTools();
        expect(tools.length).toBeGreaterThan(2);
        expect(tools[0]).toMatchObject({
          name: 'echo',
          inputSchema: { type: 'object' },
          annotations: { readOnlyHint: true },
        });
      });

      it('calls tools and reports their progress', async () => {
        expect(await call(server, 'echo', { a: [1] })).toEqual({
          isError: false,
          content: [{ kind: 'text', text: '{"a":[1]}' }],
          structuredContent: { a: [1] },
        });
        expect((await call(server, 'fail')).isError).toBe(true);
        await call(server, 'progress');
        expect(reported).toEqual(['1 of 2: half']);
      });

      it('passes other requests on unchanged', async () => {
        const asked = { uri: 'demo://x', more: { deep: true } };
        expect(await server.request('resources/read', asked)).toEqual({ contents: [], asked });
      });

      it('passes large messages both ways without accumulating listeners', async () => {
        const warnings: Error[] = [];
        const warned = (warning: Error) => warnings.push(warning);
        process.on('warning', warned);
        const large = { text: 'x'.repeat(300_000) };
        for (let count = 0; count < 15; count++) expect(await answer(server, 'echo', large)).toEqual(large);
        process.off('warning', warned);
        expect(warnings).toEqual([]);
      });

      it('reports errors that the server answers with', async () => {
        // Libraries use some of these codes for failures of their own.
        for (const code of [-32000, -32001, -32602]) {
          const refused = { kind: 'refused', code, data: { why: 'rain' } };
          expect(await failure(call(server, 'refuse', { code }))).toEqual(refused);
        }
      });

      it('answers requests of the server', async () => {
        const schema = { type: 'object', properties: { colour: { type: 'string' } } };
        const form = { method: 'elicitation/create', params: { message: 'Which?', requestedSchema: schema } };
        expect(await answer(server, 'ask', form)).toMatchObject({
          action: 'accept',
          content: { message: 'Which?', field: 'colour' },
        });
        const messages = [{ role: 'user', content: { type: 'text', text: 'weather' } }];
        const sampling = { method: 'sampling/createMessage', params: { messages, maxTokens: 10 } };
        expect(await answer(server, 'ask', sampling)).toMatchObject({ content: { text: 'on weather' }, model: 'm' });
        const roots = await answer(server, 'ask', { method: 'roots/list' });
        expect(roots).toEqual({ roots: [{ uri: pathToFileURL(folder).href }] });
      });

      it('reports that a list changed', async () => {
        await call(server, 'change');
        await expectReported('tools changed');
      });

      it('cancels an aborted call, also at the server', async () => {
        const ending = new AbortController();
        const hanging = failure(call(server, 'hang', {}, ending.signal));
        await answer(server, 'echo'); // by then the server has got the hanging call
        ending.abort();
        await hanging;
        await expectReported('resources changed'); // how the script reports that it got the cancellation
      });

      it("starts it in its folder, with the given environment and little of the host's", async () => {
        const { cwd, env, capabilities } = await answer(server, 'surroundings');
        expect([cwd, env.GIVEN, env.PATH]).toEqual([folder, 'to it', process.env.PATH]);
        expect(env).not.toHaveProperty('MCP_CONTRACT_SECRET');
        expect(capabilities).toHaveProperty('sampling');
      });
    });

    it('ends the program with the connection, without reporting it as closed', async () => {
      const server = await connect();
      const { pid, capabilities } = await answer(server, 'surroundings');
      expect(capabilities, 'nobody lends it a model').not.toHaveProperty('sampling');
      await server.close();
      await server.close();
      expect(isRunning(pid)).toBe(false);
      expect((await failure(call(server, 'echo'))).kind).toBe('closed');
      expect(reported).toEqual([]);
    });

    it('reports once that a server has died, and rejects all waiting calls', async () => {
      const server = await connect();
      const calls = [failure(call(server, 'hang')), failure(call(server, 'die'))];
      expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(['closed', 'closed']);
      await expectReported(expect.stringMatching(/^closed: .*7/) as unknown as string);
    });

    it('stays connected when the signal of the attempt aborts later', async () => {
      const attempt = new AbortController();
      const server = await connect({ signal: attempt.signal });
      attempt.abort();
      expect(await answer(server, 'echo', { still: 'there' })).toEqual({ still: 'there' });
      await server.close();
    });

    it.each<[string, string, string[]]>([
      ['a program that does not exist', '/no/such/program', ['launch-secret']],
      ['a program that cannot be run', '/etc/passwd', ['launch-secret']],
      ['a program that ends at once', process.execPath, ['-e', '"launch-secret"']],
      ['invalid arguments', process.execPath, ['launch-secret\0']],
    ])('rejects for %s', async (_what, command, args) => {
      const { kind } = await failure(connect({ launch: { kind: 'stdio', command, args } }));
      expect(['closed', 'unreachable']).toContain(kind);
      expect(reported).toEqual([]);
    });

    it('rejects for an address that cannot be reached', async () => {
      for (const url of ['not a launch-secret', 'http://127.0.0.1:1/launch-secret'])
        expect((await failure(connect({ launch: { kind: 'http', url } }))).kind).toBe('unreachable');
    });

    it('aborts an attempt, and ends its program', async () => {
      const before = await failure(connect({ signal: AbortSignal.abort() }));
      expect(before.kind).toBe('closed');
      const attempt = new AbortController();
      const file = join(folder, 'pid');
      const silent = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
      const launch = { kind: 'stdio', command: process.execPath, args: ['-e', silent] } as const;
      const attempted = failure(connect({ launch, signal: attempt.signal }));
      const pid = await vi.waitFor(() => Number(readFileSync(file, 'utf8')) || expect.unreachable(), PATIENT);
      attempt.abort();
      expect((await attempted).kind).toBe('closed');
      expect(isRunning(pid)).toBe(false);
    });

    describe('behind HTTP', () => {
      let server: Awaited<ReturnType<typeof guardedServer>>;
      beforeEach(async () => {
        server = await guardedServer('good');
      });
      afterEach(() => server.close());

      it('reports which token a server demands, and sends the current one with each request', async () => {
        const url = `${server.origin}/mcp?key=launch-secret`;
        let token: string | undefined;
        const attempt = () => connect({ launch: { kind: 'http', url }, token: () => token });
        expect(await failure(attempt())).toEqual({
          kind: 'authRequired',
          challenge: {
            reason: 'required',
            resource: { resource: `${server.origin}/mcp`, authorization_servers: [server.origin] },
            scopes: ['read'],
          },
        });
        token = 'good';
        const connection = await attempt();
        token = 'stale';
        expect((await failure(connection.request('ping', {}))).kind).toBe('authRequired');
        expect(server.seen).toEqual([undefined, 'Bearer good', 'Bearer good', 'Bearer stale']);
        await connection.close();
      });
    });
  });
}

/** Generous, so that a machine under load does not fail the suite. */
const PATIENT = { timeout: 30_000, interval: 10 };

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
