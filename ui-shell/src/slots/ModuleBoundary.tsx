import { Component, type ReactNode } from 'react';

interface Props {
  fallback: ReactNode;
  onError(error: unknown): void;
  children: ReactNode;
}

/** Shows `fallback` in place of what throws: a module, a tool of the reader, a slot, the whole shell. */
export class ModuleBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override componentDidCatch(error: unknown) {
    this.props.onError(error);
  }
  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
