import { lazy, Suspense, type ComponentType } from 'react';
import { ModuleBoundary } from './ModuleBoundary.tsx';

/** A component in a chunk of its own, which is left out if the chunk cannot be loaded or the component fails. The next one that is mounted loads again. */
export function optional<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  const lazily = () => lazy(load) as unknown as ComponentType<P>;
  let Loaded = lazily();
  const failed = (error: unknown) => {
    console.warn(error);
    Loaded = lazily();
  };
  return function Optional(props: P) {
    return (
      <ModuleBoundary fallback={null} onError={failed}>
        <Suspense>
          <Loaded {...props} />
        </Suspense>
      </ModuleBoundary>
    );
  };
}
