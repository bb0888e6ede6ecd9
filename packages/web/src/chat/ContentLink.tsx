import type { ContentRef } from '@moorage/protocol';
import { useState } from 'react';
import { useClient } from '../connection/context.js';
import { sizeOf } from '../ui/format.js';
import { LongText } from '../ui/LongText.js';
import { pictureOf } from '../ui/picture.js';
import { sentenceOf } from '../ui/sentence.js';

/** Content that the host keeps separately. It is loaded when the user asks for it. */
export function ContentLink({ content }: { readonly content: ContentRef }) {
  const client = useClient();
  const { uri } = content;
  const [shown, setShown] = useState<{ text?: string; image?: string; problem?: string }>();
  const load = async () => {
    try {
      const { data, encoding, contentType = content.contentType } = await client.request('resourceRead', { uri });
      const image = pictureOf(contentType, data);
      if (encoding !== 'base64') setShown({ text: data });
      else if (image) setShown({ image });
      else setShown({ problem: 'Binary file.' });
    } catch (error) {
      setShown({ problem: sentenceOf(error) });
    }
  };
  if (shown?.text !== undefined) return <LongText text={shown.text} />;
  if (shown?.image) return <img className="content-image" src={shown.image} alt={content.contentType ?? 'Content'} />;
  if (shown?.problem) return <p className="quiet">{shown.problem}</p>;
  return (
    <button type="button" className="link" onClick={() => void load()}>
      Show {content.contentType ?? 'content'}
      {content.sizeHint !== undefined && ` (${sizeOf(content.sizeHint)})`}
    </button>
  );
}
