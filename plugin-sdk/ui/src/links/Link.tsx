import type { AnchorHTMLAttributes, Ref } from 'react';
import { useShell } from '../contract/context.tsx';
import { internalPath, isPlainClick, linkDestination } from './links.ts';

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  newTab?: boolean;
  ref?: Ref<HTMLAnchorElement>;
}

/** Whether an address may be linked does not depend on the page, which a renderer on the host does not know. */
const ANYWHERE = 'https://site.invalid/';

/** An anchor; for pages of this site it navigates without loading a document. An address that nothing may link to is left out. */
export function Link({ href, newTab, onClick, ...rest }: LinkProps) {
  const { navigate, bootstrap } = useShell();
  return (
    <a
      {...rest}
      href={linkDestination(href, ANYWHERE) && href}
      {...(newTab ? { target: '_blank', rel: 'noopener' } : {})}
      onClick={(event) => {
        onClick?.(event);
        if (newTab || rest.target || !isPlainClick(event.nativeEvent) || event.defaultPrevented) return;
        if (internalPath(href, bootstrap.base) === undefined) return;
        event.preventDefault();
        navigate(href);
      }}
    />
  );
}
