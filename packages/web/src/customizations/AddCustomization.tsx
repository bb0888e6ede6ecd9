import { useState } from 'react';
import { addToConfiguration } from '../connection/add-to-configuration.js';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { CodeBlock } from '../markdown/CodeBlock.js';
import { AddEntry, type Launch } from '../ui/AddEntry.js';
import { sentenceOf } from '../ui/sentence.js';

interface Example {
  readonly title: string;
  readonly path: string;
  readonly text: string;
}

const EXAMPLES: readonly Example[] = [
  {
    title: 'Rules for every message',
    path: 'AGENTS.md',
    text: '# Rules\n\n- Run the tests before you say that you are done.\n- Keep changes small, and say why in the commit.\n',
  },
  {
    title: 'A skill that an agent can use',
    path: '.agents/skills/changelog/SKILL.md',
    text: '---\nname: changelog\ndescription: Writes the entry of CHANGELOG.md for the changes of this session\n---\n\nRead the changes, and add one line for each that a user notices.\n',
  },
];

/** Examples to start from: files in the session's folder, and an MCP server in the host's configuration. */
export function AddCustomization({ folder }: { readonly folder: string | undefined }) {
  const client = useClient();
  const { may } = useRights();
  return (
    <section>
      <h3>Add</h3>
      {EXAMPLES.map((example) => (
        <ExampleFile key={example.path} example={example} folder={folder} />
      ))}
      {may('admin') && (
        <details>
          <summary>An MCP server</summary>
          <AddEntry
            command="moorage mcp add"
            example={{ name: 'files', launch: 'npx -y @modelcontextprotocol/server-filesystem .' }}
            onAdd={(name, launch) => addToConfiguration(client, 'mcpServers', name, serverEntry(launch))}
          />
        </details>
      )}
    </section>
  );
}

function serverEntry(launch: Launch): Record<string, unknown> {
  if (launch.kind === 'address') return { url: launch.url };
  return { command: launch.command, ...(launch.args.length > 0 && { args: launch.args }) };
}

function ExampleFile({ example, folder }: { readonly example: Example; readonly folder: string | undefined }) {
  const client = useClient();
  const [isWritten, setWritten] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { title, path, text } = example;
  const write = async () => {
    const uri = `${folder?.replace(/\/$/, '')}/${path}`;
    try {
      // Never over what is there.
      await client.request('resourceWrite', { uri, data: text, encoding: 'utf-8', createOnly: true });
      setWritten(true);
      setProblem(undefined);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <details>
      <summary>
        {title}: <code>{path}</code>
      </summary>
      <CodeBlock text={text} language="markdown" />
      {folder !== undefined && (
        <button type="button" className="button" disabled={isWritten} onClick={() => void write()}>
          {isWritten ? 'Written' : `Write ${path}`}
        </button>
      )}
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </details>
  );
}
