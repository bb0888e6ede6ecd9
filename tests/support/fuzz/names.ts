import {
  AUTOMATIONS_URI,
  annotationsUri,
  type ChannelKind,
  changesetUri,
  chatUri,
  ROOT_URI,
  sessionUri,
  terminalUri,
} from '@moorage/protocol';
import type { Random } from '../random.js';

/** Where the host under test may work, and where it may not; as URIs of folders without a slash at the end. */
export interface Places {
  readonly root: string;
  readonly outside: string;
}

const TERMINALS = ['fuzz-0', 'fuzz-1'].map((id) => terminalUri.format(id));
const TURNS = ['t0', 't1', 't2', 't3', 't4', 't5', 't6', 't7', 't8', 't9'];

/** What people and programs trip over. */
const AWKWARD = [
  '',
  '__proto__',
  'constructor',
  '\u0000',
  '\ud800',
  '\u202eabc',
  'a'.repeat(5000),
  'é',
  'e\u0301',
  '💥',
  '%00',
  '../..',
  '\r\n\u001b[2J',
];
const PLAIN = ['a', 'b', 'c', 'demo', 'script', 'x y'];
/** Steps of the demo agent, short ones: a fuzzer is not a load test. */
const SCRIPTS = [
  '/say hi',
  '/think hm\n/stream 5',
  '/write fuzz.txt words',
  '/auto on\n/write made.txt 1\\n2\\n\n/append made.txt 3\n/delete made.txt',
  '/ask Which? | a | b',
  '/ask Why?',
  '/read README.md',
  '/wait 40',
  '/fail on purpose',
  '/tool hammer {"a":1}',
  '/usage 1 2\n/title T',
  '/auto on\n/run true',
  '/auto on\n/write ../outside/escaped.txt no',
  '/auto on\n/rename README.md ../outside/moved.md',
  'just words',
  '/nonsense',
];

/** Names for the parts of a message, by what they are called: many hit something that exists. All of it repeats with its seed. */
export class Names {
  readonly #random: Random;
  readonly #files: readonly string[];
  readonly #channels: Readonly<Record<ChannelKind, readonly string[]>>;
  readonly clientIds: readonly string[];
  readonly sessions: readonly string[];
  readonly chats: readonly string[];

  /** Each seed has its own sessions: a host never gives a name away twice. */
  constructor(seed: number, random: Random, { root, outside }: Places, clientIds: readonly string[]) {
    this.#random = random;
    this.clientIds = clientIds;
    const ids = [0, 1, 2, 3].map((index) => `fuzz-${seed}-${index}`);
    this.sessions = ids.slice(0, 3).map(sessionUri.format);
    this.chats = ids.map(chatUri.format);
    this.#channels = {
      root: [ROOT_URI],
      session: [...this.sessions, `demo:/${ids[0]}`],
      chat: this.chats,
      terminal: TERMINALS,
      changeset: this.sessions.flatMap(changesetsOf),
      annotations: this.sessions.map(annotationsUri),
      resourceWatch: ['ahp-resource-watch:/none'],
      automation: [AUTOMATIONS_URI],
      automationRun: ['ahp-automation-run:/none'],
    };
    this.#files = [
      ...['', '/README.md', '/README.md', '/src', '/src/a.ts', '/src/b.ts', '/new.txt', '/new/deep.txt'].map(
        (path) => root + path,
      ),
      ...[
        '/link-out',
        '/link-out/secret.txt',
        '/%2e%2e/outside/secret.txt',
        '/src/../../outside/secret.txt',
        '/a%2Fb',
        '/%00',
      ].map((path) => root + path),
      ...['', '/secret.txt', '/new.txt'].map((path) => outside + path),
      'file:///proc/self/environ',
      'file:///dev/zero',
      'file://elsewhere/share',
      'virtual://client/file',
      'https://example.invalid/x',
      'ahp-content:/none',
    ];
  }

  channel(kind: ChannelKind): string {
    return this.#random.pick(this.#random.chance(0.9) ? this.#channels[kind] : this.#channels[this.anyKind()]);
  }

  anyKind(): ChannelKind {
    return this.#random.pick(Object.keys(this.#channels) as ChannelKind[]);
  }

  /** A string for the member of that name. */
  text(member: string): string {
    const random = this.#random;
    if (random.chance(0.06)) return random.pick(AWKWARD);
    switch (member) {
      case 'channel':
        return this.channel(this.anyKind());
      case 'session':
        return this.channel('session');
      case 'chat':
      case 'defaultChat':
        return this.channel('chat');
      case 'terminal':
        return this.channel('terminal');
      case 'uri':
      case 'resource':
      case 'source':
      case 'destination':
      case 'cwd':
        return random.chance(0.9) ? random.pick(this.#files) : this.channel(this.anyKind());
      case 'startedAt':
        return new Date(1_800_000_000_000 + random.below(1_000_000)).toISOString();
      case 'workingDirectory':
      case 'workingDirectories':
        return random.chance(0.7) ? (this.#files[0] ?? '') : random.pick(this.#files);
      case 'turnId':
      case 'before':
        return random.pick(TURNS);
      case 'toolCallId':
      case 'requestId':
        return `${random.pick(TURNS)}-${1 + random.below(3)}`;
      case 'clientId':
        return random.pick(this.clientIds);
      case 'provider':
        return random.pick(['demo', 'demo', 'demo', 'nobody']);
      case 'text':
        return random.pick(SCRIPTS);
      case 'operationId':
        return random.pick([
          'revert',
          'undo',
          'restore',
          'stage',
          'unstage',
          'commit',
          'keep',
          'open-diff',
          'create-branch',
          'no',
        ]);
      case 'data':
        return random.pick(['aGk=', 'hi', 'echo hi\r', '\u0003', '====', 'x'.repeat(3000)]);
      case 'type':
        return random.pick(PLAIN);
      default:
        return random.pick(random.chance(0.3) ? TURNS : PLAIN);
    }
  }

  /** Globs of watches, bombs among them. */
  glob(): string {
    return this.#random.pick([
      '**/*.ts',
      '*',
      '{a,b}/**',
      `${'{a,b}'.repeat(30)}`,
      '**/'.repeat(200),
      '[',
      `${'*a'.repeat(100)}b`,
    ]);
  }
}

function changesetsOf(session: string): string[] {
  return [
    changesetUri(session, { kind: 'uncommitted' }),
    changesetUri(session, { kind: 'session' }),
    changesetUri(session, { kind: 'branch' }),
    changesetUri(session, { kind: 'turn', turnId: 't0' }),
    changesetUri(session, { kind: 'compare-turns', originalTurnId: 't0', modifiedTurnId: 't1' }),
  ];
}
