import { useEffect, useState } from 'react';
import { CopyLine } from '../ui/CopyLine.js';

/** A link to hand over: to copy, and as a QR code for a phone that is near. */
export function ShareLink({ link, about }: { readonly link: string; readonly about: string }) {
  return (
    <div ref={(element) => element?.scrollIntoView({ block: 'nearest' })} className="share-link" role="status">
      <p>{about}</p>
      <CopyLine text={link} />
      {isLoopback(link) && (
        <p className="problem">It works on the machine of the host only, because the host listens nowhere else.</p>
      )}
      <QrCode text={link} />
    </div>
  );
}

/** The encoder is loaded with the first code. */
function QrCode({ text }: { readonly text: string }) {
  const [path, setPath] = useState<{ readonly size: number; readonly d: string }>();
  useEffect(() => {
    let isOver = false;
    void import('uqr').then(({ encode }) => {
      const { data, size } = encode(text, { ecc: 'L', border: QUIET_ZONE });
      const d = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
      if (!isOver) setPath({ size, d: d.join('') });
    });
    return () => {
      isOver = true;
    };
  }, [text]);
  if (!path) return null;
  return (
    <svg className="qr-code" viewBox={`0 0 ${path.size} ${path.size}`} role="img" aria-label="The link as a QR code">
      <path d={path.d} />
    </svg>
  );
}

/** Light squares around a code, which readers need. */
const QUIET_ZONE = 4;

function isLoopback(link: string): boolean {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(link);
}
