import { SLOTS, tagOf, type Bootstrap, type PageView, type Shell, type SlotModule, type SlotName, type UiModule } from '@masthead/ui-sdk';
import { addMessages, createI18n, moduleElement, ShellProvider } from '@masthead/ui-sdk/shell';
import { Fragment, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';

/** What the host asks for: the modules of one slot of the frame, on one page. */
export interface Job {
  slot: SlotName;
  /** Path and query of the page. */
  path: string;
  page: PageView;
  /** What the page tells the shell, without the page itself; `slots` has the slot and those inside it. */
  bootstrap: Omit<Bootstrap, 'page'>;
}

export interface Rendered {
  html: string;
  /** Whether a module has read what differs from page to page: then the markup is for this page only. */
  ofPage: boolean;
}

/** Calls `read` whenever one of the object's properties is read. */
function watched<T extends object>(object: T, read: () => void): T {
  const get = (key: keyof T) => ({
    configurable: true,
    enumerable: true,
    get: () => {
      read();
      return object[key];
    },
  });
  return Object.defineProperties({}, Object.fromEntries(Object.keys(object).map((key) => [key, get(key as keyof T)]))) as T;
}

/** What of a page the host knows frames by: its kind, and of a search the scope and the words, which are a placeholder as addresses are. */
const known = (page: PageView): object => ({ kind: page.kind, ...(page.kind === 'search' ? { q: page.q, scope: page.scope } : {}) });

/** The modules of the frame, and the markup with which the host sends a page. Everything it does depends on the job alone. */
export class Renderer {
  readonly #modules = new Map<string, UiModule>();
  readonly #i18n = createI18n({ namespace: 'shell', fallback: true, onMissing: () => undefined });

  add(module: UiModule): void {
    this.#modules.set(`${module.slot} ${module.id}`, module);
    addMessages(this.#i18n, module.id, module.messages);
  }

  render({ slot, path, page, bootstrap: rest }: Job): Rendered {
    let ofPage = false;
    const read = () => void (ofPage = true);
    const bootstrap: Bootstrap = { ...rest, page: Object.defineProperties(watched(page, read), Object.getOwnPropertyDescriptors(known(page))) };
    void this.#i18n.changeLanguage(tagOf(bootstrap.lang));

    const mounted = (name: SlotName, ref: SlotModule, place: object) => {
      const module = this.#modules.get(`${name} ${ref.module}`);
      if (!module) throw new Error(`${ref.module} is not loaded for slot ${name}`);
      // The component is called here and not by React, so that it is seen whether it reads the path.
      const Component = module.Component as unknown as (props: object) => ReactNode;
      const own = moduleElement(module, bootstrap, '', ref.props, place).props as object;
      const props = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(own), ...Object.getOwnPropertyDescriptors(watched({ path }, read)) });
      const Watched = () => Component(props);
      return (
        <I18nextProvider i18n={this.#i18n} defaultNS={ref.module}>
          <Watched />
        </I18nextProvider>
      );
    };
    // As the shell fills slots, with all modules loaded but those of late slots.
    const renderSlot = (name: SlotName, place: object, fallback: ReactNode, waiting: ReactNode): ReactNode => {
      if (name !== slot && !name.startsWith(`${slot}.`)) throw new Error(`slot ${name} is not a part of slot ${slot}`);
      const refs = bootstrap.slots[name] ?? [];
      const [first] = refs;
      if (!first) return fallback;
      if (SLOTS[name].cardinality === 'many')
        return SLOTS[name].late ? null : refs.map((ref, index) => <Fragment key={index}>{mounted(name, ref, place)}</Fragment>);
      return SLOTS[name].late ? waiting : mounted(name, first, place);
    };
    const never = () => Promise.reject(new Error('there is no API while the host renders'));
    const shell = {
      bootstrap,
      pending: false,
      api: { get: never, post: never, put: never, delete: never },
      navigate: () => undefined,
      notify: () => undefined,
      busy: <T,>(work: Promise<T>) => work,
      renderSlot,
    };
    const watchedShell = Object.defineProperties(shell, Object.getOwnPropertyDescriptors(watched({ path }, read))) as unknown as Shell;
    const html = renderToString(<ShellProvider value={watchedShell}>{renderSlot(slot, {}, null, null)}</ShellProvider>, { identifierPrefix: slot });
    // React writes a preload link for each picture before the markup. The pictures follow at once, and the slot begins with its module's element.
    return { html: html.replace(/^(?:<link rel="preload"[^>]*>)+/, ''), ofPage };
  }
}
