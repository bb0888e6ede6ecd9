import type { Command } from 'commander';

/** A command. Its code is loaded when it is called, so that no command has to load the others. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ default: () => Command }>;
}

/** All commands, in the groups and in the order in which help lists them. */
export const GROUPS: readonly (readonly [string, readonly CommandEntry[]])[] = [
  [
    'Sessions',
    [
      {
        name: 'run',
        summary: 'start a session here and follow its first turn',
        load: () => import('./commands/run.js'),
      },
      {
        name: 'adopt',
        summary: 'continue a session that an agent had without moorage',
        load: () => import('./commands/adopt.js'),
      },
      { name: 'ls', summary: 'list sessions', load: () => import('./commands/ls.js') },
      { name: 'show', summary: 'show a session', load: () => import('./commands/show.js') },
      { name: 'log', summary: 'print the conversation of a session', load: () => import('./commands/log.js') },
      { name: 'export', summary: 'write a session as markdown or JSON', load: () => import('./commands/export.js') },
      {
        name: 'share',
        summary: 'print a link to one session, with fewer rights',
        load: () => import('./commands/share.js'),
      },
      { name: 'rename', summary: 'give a session another title', load: () => import('./commands/rename.js') },
      { name: 'archive', summary: 'archive a session, or take it back', load: () => import('./commands/archive.js') },
      { name: 'fork', summary: 'start a session from a turn of another', load: () => import('./commands/fork.js') },
      {
        name: 'auto',
        summary: 'begin sessions by schedule, or when something happens',
        load: () => import('./commands/auto.js'),
      },
      { name: 'rm', summary: 'end a session and remove it', load: () => import('./commands/rm.js') },
      { name: 'restore', summary: 'bring a removed session back', load: () => import('./commands/restore.js') },
      { name: 'take', summary: 'go on with a session on another host', load: () => import('./commands/take.js') },
    ],
  ],
  [
    'Turns',
    [
      { name: 'attach', summary: 'follow and steer a session', load: () => import('./commands/attach.js') },
      { name: 'send', summary: 'send a message to a session', load: () => import('./commands/send.js') },
      { name: 'cancel', summary: 'cancel the turn that runs', load: () => import('./commands/cancel.js') },
      { name: 'approve', summary: 'approve what an agent asks to do', load: () => import('./commands/approve.js') },
      { name: 'deny', summary: 'deny what an agent asks to do', load: () => import('./commands/deny.js') },
      { name: 'answer', summary: 'answer a question of an agent', load: () => import('./commands/answer.js') },
    ],
  ],
  [
    'Changes',
    [
      { name: 'diff', summary: 'show what a session changed', load: () => import('./commands/diff.js') },
      { name: 'revert', summary: 'take changes back', load: () => import('./commands/revert.js') },
      { name: 'undo', summary: 'undo what was done to changes', load: () => import('./commands/undo.js') },
      { name: 'redo', summary: 'do again what was undone', load: () => import('./commands/redo.js') },
      { name: 'stage', summary: 'stage changes in git', load: () => import('./commands/stage.js') },
      { name: 'commit', summary: 'commit changes with git', load: () => import('./commands/commit.js') },
      { name: 'fixup', summary: 'put changes into an earlier commit', load: () => import('./commands/fixup.js') },
      { name: 'split', summary: 'make two commits of one', load: () => import('./commands/split.js') },
      {
        name: 'comment',
        summary: 'comment on a file that a session changed',
        load: () => import('./commands/comment.js'),
      },
    ],
  ],
  [
    'Terminals',
    [{ name: 'term', summary: 'open, list and join terminals of the host', load: () => import('./commands/term.js') }],
  ],
  [
    'Hosts and agents',
    [
      {
        name: 'mcp',
        summary: 'list, add and remove MCP servers',
        load: () => import('./commands/mcp.js'),
      },
      {
        name: 'agents',
        summary: 'list agents and their models, add and remove them',
        load: () => import('./commands/agents.js'),
      },
      {
        name: 'config',
        summary: 'print or write a configuration file with all that can be set',
        load: () => import('./commands/config.js'),
      },
      {
        name: 'auth',
        summary: 'see which tokens agents need, and give them',
        load: () => import('./commands/auth.js'),
      },
      { name: 'host', summary: 'start, stop and name hosts', load: () => import('./commands/host.js') },
      {
        name: 'service',
        summary: 'run a host whenever you are logged in',
        load: () => import('./commands/service.js'),
      },
      {
        name: 'pair',
        summary: 'sign another device in with a one-time code',
        load: () => import('./commands/pair.js'),
      },
      {
        name: 'login',
        summary: 'sign in to a host with its identity provider',
        load: () => import('./commands/login.js'),
      },
      {
        name: 'people',
        summary: 'let others use the host, with names and roles',
        load: () => import('./commands/people.js'),
      },
      { name: 'audit', summary: 'print who did what on the host', load: () => import('./commands/audit.js') },
      { name: 'doctor', summary: 'check the installation', load: () => import('./commands/doctor.js') },
      { name: 'watch', summary: 'print what travels on the wire', load: () => import('./commands/watch.js') },
      { name: 'versions', summary: 'print the versions in use', load: () => import('./commands/versions.js') },
      { name: 'completion', summary: 'print a completion script', load: () => import('./commands/completion.js') },
    ],
  ],
  [
    'Running a host',
    [
      {
        name: 'serve',
        summary: 'start a host and serve until it is stopped',
        load: () => import('../serve-command.js'),
      },
      {
        name: 'backup',
        summary: 'copy the data of a host, running or not',
        load: () => import('../backup-command.js'),
      },
      {
        name: 'recover',
        summary: 'check a store, and save what can be read of a damaged one',
        load: () => import('../recover-command.js'),
      },
      {
        name: 'gateway',
        summary: 'serve all hosts of a fleet at one address',
        load: () => import('../gateway-command.js'),
      },
      { name: 'fleet', summary: 'run many hosts as one fleet', load: () => import('./commands/fleet.js') },
    ],
  ],
];
