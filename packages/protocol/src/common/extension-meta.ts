/**
 * Every member of `_meta` that moorage adds to the protocol, on either side of the wire (docs/PROTOCOL.md). The prefix
 * keeps them apart from what the protocol, VS Code or another client puts there.
 */
export const ExtensionMeta = {
  // Of the root.
  knownAgents: 'moorage.knownAgents',
  gateway: 'moorage.gateway',
  // Of the handshake: who the client is to the host, unless it is the owner's. Of a message: the name of who sent it.
  person: 'moorage.person',
  // Of the root, and of a session.
  away: 'moorage.away',
  // Of an automation: why it disabled itself.
  disabledBecause: 'moorage.disabledBecause',
  // Of an agent.
  agentState: 'moorage.agentState',
  agentCommand: 'moorage.agentCommand',
  // Of a session.
  createdAt: 'moorage.createdAt',
  changesProblem: 'moorage.changesProblem',
  worktree: 'moorage.worktree',
  usage: 'moorage.usage',
  host: 'moorage.host',
  // Of a session and of a message: the session whose agent began or sent it.
  startedBy: 'moorage.startedBy',
  // Of a turn: its parts, tool calls and usage.
  steering: 'moorage.steering',
  durationMs: 'moorage.durationMs',
  readOnlyHint: 'moorage.readOnlyHint',
  toolInput: 'moorage.toolInput',
  decidedBy: 'moorage.decidedBy',
  context: 'moorage.context',
  // Of an attachment.
  path: 'moorage.path',
  command: 'moorage.command',
  description: 'moorage.description',
  hint: 'moorage.hint',
  comments: 'moorage.comments',
  // Of an annotation.
  anchor: 'moorage.anchor',
  lines: 'moorage.lines',
  side: 'moorage.side',
  // Of a comment in an annotation.
  author: 'moorage.author',
  writtenAt: 'moorage.writtenAt',
  // Of a changed file.
  reviewedHunks: 'moorage.reviewedHunks',
  changedSinceReviewed: 'moorage.changedSinceReviewed',
  staged: 'moorage.staged',
  partlyStaged: 'moorage.partlyStaged',
  onlyStaged: 'moorage.onlyStaged',
  stagedHunks: 'moorage.stagedHunks',
  conflicted: 'moorage.conflicted',
  binary: 'moorage.binary',
  executable: 'moorage.executable',
  mode: 'moorage.mode',
  symlink: 'moorage.symlink',
  submodule: 'moorage.submodule',
  sharedWith: 'moorage.sharedWith',
  sharedHunks: 'moorage.sharedHunks',
  changedBetween: 'moorage.changedBetween',
  tooLarge: 'moorage.tooLarge',
  storeFull: 'moorage.storeFull',
  unreadable: 'moorage.unreadable',
  contentLost: 'moorage.contentLost',
  notFiltered: 'moorage.notFiltered',
  elsewhere: 'moorage.elsewhere',
  beforeUnknown: 'moorage.beforeUnknown',
  // Of requests.
  filter: 'moorage.filter',
  fork: 'moorage.fork',
  draft: 'moorage.draft',
  page: 'moorage.page',
  message: 'moorage.message',
  commit: 'moorage.commit',
  turn: 'moorage.turn',
  parts: 'moorage.parts',
  files: 'moorage.files',
  what: 'moorage.what',
  title: 'moorage.title',
  body: 'moorage.body',
  shareWith: 'moorage.shareWith',
} as const;
export type ExtensionMeta = keyof typeof ExtensionMeta;
