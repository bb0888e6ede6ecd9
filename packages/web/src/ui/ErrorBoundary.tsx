import { Component, type ReactNode } from 'react';

/** Keeps an error in one part of the page from breaking the rest. */
export class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly message: string | undefined }
> {
  override state = { message: undefined };

  static getDerivedStateFromError(error: unknown): { message: string } {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.message === undefined) return this.props.children;
    return (
      <div className="pane-note" role="alert">
        <p className="problem">This part of the page could not be shown: {this.state.message}</p>
        <button type="button" className="button" onClick={() => this.setState({ message: undefined })}>
          Try again
        </button>{' '}
        <button type="button" className="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    );
  }
}
