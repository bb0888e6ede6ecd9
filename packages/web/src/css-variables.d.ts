import 'react';

declare module 'react' {
  /** Variables that the style sheets read. */
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
