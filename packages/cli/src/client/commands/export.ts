import { writeFileSync } from 'node:fs';
import { allTurns } from '@moorage/client';
import { type Command, Option } from 'commander';
import { UsageError } from '../../usage-error.js';
import { type CommonOptions, command } from '../command.js';
import { withHost } from '../host/open.js';
import { note, print } from '../output/out.js';
import { jsonLine, plain } from '../output/plain.js';
import { LiveSession } from '../sessions/live-session.js';
import { sessionMarkdown } from '../sessions/markdown.js';

interface ExportOptions extends CommonOptions {
  readonly format: 'markdown' | 'json';
  readonly output?: string;
}

export default function exportCommand(): Command {
  return command('export [session]', 'Write a session with all its chats as markdown or JSON.', [
    'moorage export 4f2a > session.md',
    'moorage export 4f2a --format json -o session.json',
  ])
    .addOption(new Option('-f, --format <format>', 'the format').choices(['markdown', 'json']).default('markdown'))
    .option('-o, --output <file>', 'write to a file')
    .action(async (session: string | undefined, options: ExportOptions) => {
      await withHost(options, async (client) => {
        const live = await LiveSession.find(client, session);
        const chats = [];
        for (const chat of await live.allChats()) {
          await allTurns(client, chat);
          chats.push(chat.confirmed);
        }
        const isJson = options.json || options.format === 'json';
        const text = isJson
          ? `${jsonLine({ session: live.session.confirmed, chats })}\n`
          : plain(sessionMarkdown(live.session.uri, live.session.confirmed, chats));
        if (options.output === undefined) return print(text);
        write(options.output, text);
        note(`written to ${options.output}`);
      });
    });
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${(error as Error).message}`);
  }
}
