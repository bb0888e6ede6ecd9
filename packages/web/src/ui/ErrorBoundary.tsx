import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
  /** What is shown. When it changes, it is tried again. */
  readonly of?: unknown;
  /** Shown instead. By default, one line that says what was wrong. */
  readonly fallback?: ReactNode | ((message: string) => ReactNode);
}

interface State {
  readonly message?: string | undefined;
}

/** Keeps an error in one part of the page from breaking the rest. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override componentDidUpdate({ of }: Props): void {
    if (of !== this.props.of && this.state.message !== undefined) this.setState({ message: undefined });
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    const { fallback } = this.props;
    if (typeof fallback === 'function') return fallback(message);
    return fallback ?? <BrokenPart message={message} onRetry={() => this.setState({ message: undefined })} />;
  }
}

function BrokenPart({ message, onRetry }: { readonly message: string; readonly onRetry: () => void }) {
  return (
    <div className="broken-part" role="alert">
      <span className="problem">This part could not be shown: {message}</span>{' '}
      <button type="button" className="link" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
