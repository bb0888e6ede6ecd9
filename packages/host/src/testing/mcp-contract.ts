import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Mcp, type McpConnection, type McpConnectOptions, McpError, type McpHandlers } from '../ports/mcp.js';
import { guardedServer, scriptedServer } from './mcp-contract-server.js';

/** What the host relies on in every Mcp. */
export function describeMcp(name: string, make: () => Mcp): void {
  describe(`${name} is an Mcp`, () => {
    let folder: string;
    let told: string[];
    beforeAll(() => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'ahpd-mcp-')));
      process.env.MCP_CONTRACT_SECRET = 'secret of the host';
    });
    afterAll(() => {
      rmSync(folder, { recursive: true, force: true });
      delete process.env.MCP_CONTRACT_SECRET;
    });
    beforeEach(() => {
      told = [];
    });

    const handlers: McpHandlers = {
      elicit: async ({ message, schema }) => ({
        action: 'accept',
        content: { message, field: Object.keys(schema.properties ?? {})[0] ?? '' },
      }),
      listChanged: (list) => told.push(`${list} changed`),
      closed: (error) => told.push(`closed: ${error.message}`),
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
        onProgress: ({ progress, total, message }) => told.push(`${progress} of ${total}: ${message}`),
      });
    const answer = async (connection: McpConnection, tool: string, input = {}) => {
      const [content] = (await call(connection, tool, input)).content;
      return JSON.parse(content?.kind === 'text' ? content.text : 'null');
    };
    /** In which way something failed, and that it says nothing of how the server was launched. */
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
    const heard = (...words: string[]) => vi.waitFor(() => expect(told).toEqual(words), PATIENT);

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

      it('knows what it offers, and all of its tools', async () => {
        expect(server.offers).toEqual({ tools: { listChanged: true }, logging: true });
        const tools = await server.listTools();
        expect(tools.length).toBeGreaterThan(2);
        expect(tools[0]).toMatchObject({
          name: 'echo',
          inputSchema: { type: 'object' },
          annotations: { readOnlyHint: true },
        });
      });

      it('calls tools, and tells of their progress', async () => {
        expect(await call(server, 'echo', { a: [1] })).toEqual({
          isError: false,
          content: [{ kind: 'text', text: '{"a":[1]}' }],
          structuredContent: { a: [1] },
        });
        expect((await call(server, 'fail')).isError).toBe(true);
        await call(server, 'progress');
        expect(told).toEqual(['1 of 2: half']);
      });

      it('passes other requests on as they are', async () => {
        const asked = { uri: 'demo://x', more: { deep: true } };
        expect(await server.request('resources/read', asked)).toEqual({ contents: [], asked });
      });

      it('passes large messages both ways, and does not gather listeners by that', async () => {
        const warnings: Error[] = [];
        const warned = (warning: Error) => warnings.push(warning);
        process.on('warning', warned);
        const large = { text: 'x'.repeat(300_000) };
        for (let count = 0; count < 15; count++) expect(await answer(server, 'echo', large)).toEqual(large);
        process.off('warning', warned);
        expect(warnings).toEqual([]);
      });

      it('says when the server refuses', async () => {
        // Codes that libraries use for failures of their own, too.
        for (const code of [-32000, -32001, -32602]) {
          const refused = { kind: 'refused', code, data: { why: 'rain' } };
          expect(await failure(call(server, 'refuse', { code }))).toEqual(refused);
        }
      });

      it('answers what the server asks', async () => {
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

      it('tells that a list changed', async () => {
        await call(server, 'change');
        await heard('tools changed');
      });

      it('gives a call up when nobody waits for it, and tells the server', async () => {
        const ending = new AbortController();
        const hanging = failure(call(server, 'hang', {}, ending.signal));
        await answer(server, 'echo'); // it has heard of the call before
        ending.abort();
        await hanging;
        await heard('resources changed'); // how the script says that it was told
      });

      it('starts it in its folder, with what it was given and little of what the host has', async () => {
        const { cwd, env, capabilities } = await answer(server, 'surroundings');
        expect([cwd, env.GIVEN, env.PATH]).toEqual([folder, 'to it', process.env.PATH]);
        expect(env).not.toHaveProperty('MCP_CONTRACT_SECRET');
        expect(capabilities).toHaveProperty('sampling');
      });
    });

    it('ends the program with the connection, and does not call that news', async () => {
      const server = await connect();
      const { pid, capabilities } = await answer(server, 'surroundings');
      expect(capabilities, 'nobody lends it a model').not.toHaveProperty('sampling');
      await server.close();
      await server.close();
      expect(isRunning(pid)).toBe(false);
      expect((await failure(call(server, 'echo'))).kind).toBe('closed');
      expect(told).toEqual([]);
    });

    it('says once that a server has died, to everybody who waits', async () => {
      const server = await connect();
      const calls = [failure(call(server, 'hang')), failure(call(server, 'die'))];
      expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(['closed', 'closed']);
      await heard(expect.stringMatching(/^closed: .*7/) as unknown as string);
    });

    it('goes on when the signal that could end the attempt comes later', async () => {
      const attempt = new AbortController();
      const server = await connect({ signal: attempt.signal });
      attempt.abort();
      expect(await answer(server, 'echo', { still: 'there' })).toEqual({ still: 'there' });
      await server.close();
    });

    it.each<[string, string, string[]]>([
      ['a program that is not there', '/no/such/program', ['launch-secret']],
      ['a program that cannot be run', '/etc/passwd', ['launch-secret']],
      ['a program that ends at once', process.execPath, ['-e', '"launch-secret"']],
      ['arguments that are none', process.execPath, ['launch-secret\0']],
    ])('refuses %s', async (_what, command, args) => {
      const { kind } = await failure(connect({ launch: { kind: 'stdio', command, args } }));
      expect(['closed', 'unreachable']).toContain(kind);
      expect(told).toEqual([]);
    });

    it('refuses an address that does not work', async () => {
      for (const url of ['not a launch-secret', 'http://127.0.0.1:1/launch-secret'])
        expect((await failure(connect({ launch: { kind: 'http', url } }))).kind).toBe('unreachable');
    });

    it('ends an attempt, and the program with it', async () => {
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

      it('says which token a server wants, and gives it what there is at each request', async () => {
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

/** Generous: a machine under load is no failure. */
const PATIENT = { timeout: 30_000, interval: 10 };

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
