import { AgentFileError, type AgentFiles, type ExpectedVersion } from '@moorage/host/ports';
import { strict, type Validator } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';

/** The result of a file operation. A refusal is a normal answer, so that the agent can tell it from a failure. */
type FileAnswer<T> = { readonly done: T } | { readonly refused: { code: string; message: string } };

/** A file as it crosses the pipe. */
interface SentFile {
  readonly uri: string;
  readonly shown: string;
  readonly isLink: boolean;
  readonly content?: { readonly base64: string; readonly version: string };
}

/** The file operations that the agent's process may request. */
export interface FileRequests {
  readFile: { params: { path: string; maxBytes?: number | undefined }; result: FileAnswer<SentFile> };
  writeFile: { params: { path: string; base64: string; expected?: ExpectedVersion }; result: FileAnswer<true> };
  deleteFile: { params: { path: string; expected?: ExpectedVersion }; result: FileAnswer<true> };
  renameFile: { params: { path: string; to: string; expected?: ExpectedVersion }; result: FileAnswer<true> };
}

type Rows = {
  [M in keyof FileRequests]: {
    params: Validator<FileRequests[M]['params']>;
    result: Validator<FileRequests[M]['result']>;
  };
};

const path = Type.String();
const expected = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Refused = Type.Object({ refused: Type.Object({ code: Type.String(), message: Type.String() }) });
const Done = Type.Union([Type.Object({ done: Type.Literal(true) }), Refused]);
const Sent = Type.Object({
  uri: Type.String(),
  shown: Type.String(),
  isLink: Type.Boolean(),
  content: Type.Optional(Type.Object({ base64: Type.String(), version: Type.String() })),
});

export const FILE_REQUESTS: Rows = {
  readFile: {
    params: strict(Type.Object({ path, maxBytes: Type.Optional(Type.Integer()) })),
    result: strict(Type.Union([Type.Object({ done: Sent }), Refused])),
  },
  writeFile: { params: strict(Type.Object({ path, base64: Type.String(), expected })), result: strict(Done) },
  deleteFile: { params: strict(Type.Object({ path, expected })), result: strict(Done) },
  renameFile: { params: strict(Type.Object({ path, to: Type.String(), expected })), result: strict(Done) },
};

type Handlers = {
  [M in keyof FileRequests]: (params: FileRequests[M]['params']) => Promise<FileRequests[M]['result']>;
};

/** Serves these requests from the files of the session. */
export function serveFiles(files: AgentFiles): Handlers {
  return {
    readFile: ({ path: at, maxBytes }) =>
      answer(async () => {
        const { content, ...file } = await files.read(at, maxBytes);
        if (!content) return file;
        const base64 = Buffer.from(content.bytes).toString('base64');
        return { ...file, content: { base64, version: content.version } };
      }),
    writeFile: ({ path: at, base64, expected: version }) =>
      answer(() => done(files.write(at, Buffer.from(base64, 'base64'), version))),
    deleteFile: ({ path: at, expected: version }) => answer(() => done(files.delete(at, version))),
    renameFile: ({ path: at, to, expected: version }) => answer(() => done(files.rename(at, to, version))),
  };
}

type Ask = <M extends keyof FileRequests>(
  method: M,
  params: FileRequests[M]['params'],
) => Promise<FileRequests[M]['result']>;

/** The files of the session, seen from the agent's process. */
export function remoteFiles(ask: Ask): AgentFiles {
  return {
    async read(at, maxBytes) {
      const { content, ...file } = taken(await ask('readFile', { path: at, maxBytes }));
      if (!content) return file;
      return { ...file, content: { bytes: Buffer.from(content.base64, 'base64'), version: content.version } };
    },
    async write(at, bytes, version) {
      taken(await ask('writeFile', { path: at, base64: Buffer.from(bytes).toString('base64'), expected: version }));
    },
    async delete(at, version) {
      taken(await ask('deleteFile', { path: at, expected: version }));
    },
    async rename(at, to, version) {
      taken(await ask('renameFile', { path: at, to, expected: version }));
    },
  };
}

async function answer<T>(work: () => Promise<T>): Promise<FileAnswer<T>> {
  try {
    return { done: await work() };
  } catch (error) {
    if (!(error instanceof AgentFileError)) throw error;
    return { refused: { code: error.code, message: error.message } };
  }
}

async function done(work: Promise<void>): Promise<true> {
  await work;
  return true;
}

function taken<T>(given: FileAnswer<T>): T {
  if ('done' in given) return given.done;
  throw new AgentFileError(given.refused.code, given.refused.message);
}
