import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { ErrorBoundary } from '../ui/ErrorBoundary.js';
import { visible } from '../ui/visible.js';
import { splitBlocks } from './blocks.js';
import { CodeBlock } from './CodeBlock.js';
import { readableBlocks } from './limits.js';
import { safeLink, safeUrl } from './safe-url.js';

/** Untrusted markdown from an agent, a tool or a file: HTML is dropped, and only safe links and images are kept. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = splitBlocks(text);
  const readable = readableBlocks(blocks);
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: text only grows at its end, so a block keeps its place
        <ErrorBoundary key={index} of={block} fallback={<Plain text={block} />}>
          {readable[index] ? <Block text={block} /> : <Plain text={block} />}
        </ErrorBoundary>
      ))}
    </div>
  );
}

function Plain({ text }: { readonly text: string }) {
  return <div className="plain-text">{visible(text)}</div>;
}

const Block = memo(function Block({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} skipHtml urlTransform={safeUrl}>
      {text}
    </ReactMarkdown>
  );
});

const PLUGINS = [remarkGfm];

const COMPONENTS: Components = {
  a({ href, children }) {
    const target = safeLink(href);
    if (target === undefined) return <span className="dead-link">{children}</span>;
    return (
      <a href={target} target="_blank" rel="noopener noreferrer nofollow" title={target}>
        {children}
      </a>
    );
  },
  img({ src, alt }) {
    if (typeof src === 'string' && src.startsWith('data:image/')) return <img src={src} alt={alt ?? ''} />;
    return <span className="no-image">{`Image not loaded: ${alt || String(src ?? '')}`}</span>;
  },
  pre({ children }) {
    return children;
  },
  code({ className, children }) {
    const text = String(children ?? '');
    const language = /language-([\w+#-]+)/.exec(className ?? '')?.[1];
    if (language === undefined && !text.includes('\n')) return <code>{text}</code>;
    return <CodeBlock text={text.replace(/\n$/, '')} language={language} />;
  },
  table({ children }) {
    return (
      <div className="table-box">
        <table>{children}</table>
      </div>
    );
  },
};
