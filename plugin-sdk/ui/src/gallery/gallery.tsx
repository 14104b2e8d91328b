import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { LanguageLink, UiModule } from '../contract/contract.ts';
import type { Bootstrap, SlotName } from '../contract/slots.ts';
import { fakeShell, ModuleFrame, sampleArticle } from '../testing.tsx';
import presets from './presets.json' with { type: 'json' };

type Lang = Bootstrap['lang'];
const LANGUAGES: Omit<LanguageLink, 'href'>[] = [
  { code: 'zh', tag: 'zh', name: '中文', dir: 'ltr' },
  { code: 'en', tag: 'en', name: 'English', dir: 'ltr' },
  { code: 'ru', tag: 'ru', name: 'Русский', dir: 'ltr' },
  { code: 'ara', tag: 'ar', name: 'العربية', dir: 'rtl' },
  { code: 'spa', tag: 'es', name: 'Español', dir: 'ltr' },
  { code: 'fra', tag: 'fr', name: 'Français', dir: 'ltr' },
  { code: 'de', tag: 'de', name: 'Deutsch', dir: 'ltr' },
  { code: 'jp', tag: 'ja', name: '日本語', dir: 'ltr' },
  { code: 'kor', tag: 'ko', name: '한국어', dir: 'ltr' },
];
const EVERY = 'every';
/** The choices, with the first value as default; the address of the page keeps them. */
const CHOICES: Record<string, [value: string, label: string][]> = {
  language: [...LANGUAGES.map(({ code, name }): [string, string] => [code, name]), [EVERY, 'Every language']],
  direction: [
    ['', 'Of the language'],
    ['ltr', 'Left to right'],
    ['rtl', 'Right to left'],
  ],
  preset: presets.map(({ colorId, name }): [string, string] => [String(colorId), `${colorId} ${name}`]),
  theme: [
    ['light', 'Light'],
    ['dark', 'Dark'],
  ],
  width: [
    ['1280', '1280 px'],
    ['', 'Window'],
    ['768', '768 px'],
    ['390', '390 px'],
  ],
  page: [
    ['home', 'Home'],
    ['article', 'Article'],
    ['search', 'Results'],
    ['message', 'Message'],
  ],
  reader: [
    ['', 'Signed out'],
    ['in', 'Signed in'],
  ],
};
type Choice = Record<string, string>;

/** The choice in an address; unknown values are the default. */
export function choiceOf(search: string): Choice {
  const asked = new URLSearchParams(search);
  return Object.fromEntries(
    Object.entries(CHOICES).map(([key, values]) => [key, values.find(([value]) => value === asked.get(key))?.[0] ?? values[0]?.[0] ?? '']),
  );
}

/** The page around the module that a choice stands for. */
export function pageOf({ language, page, reader }: Choice, slot: SlotName): Partial<Bootstrap> {
  const lang = (LANGUAGES.find(({ code }) => code === language)?.code ?? 'zh') as Lang;
  const pages: Record<string, Bootstrap['page']> = {
    article: sampleArticle(lang === 'zh'),
    search: { kind: 'search', q: 'mangrove', total: 12 },
    message: { kind: 'message', status: 404, message: 'Not found' },
  };
  return {
    lang,
    languages: LANGUAGES.map((link) => ({ ...link, href: `/${link.code}/home/` })),
    session: reader ? { signedIn: true, userName: '138****0000' } : { signedIn: false, userName: '' },
    // Only pages of articles have the slots of articles.
    page: pages[slot.startsWith('article.') ? 'article' : (page ?? '')] ?? { kind: 'home' },
  };
}

/** The module alone, as the document of a site would have it. */
function Single({ module, samples, choice }: { module: UiModule; samples: object; choice: Choice }) {
  const root = document.documentElement;
  const link = LANGUAGES.find(({ code }) => code === choice['language']);
  root.lang = link?.tag ?? 'zh';
  root.dir = choice['direction'] || link?.dir || 'ltr';
  root.dataset['theme'] = choice['theme'];
  const preset = presets.find(({ colorId }) => String(colorId) === choice['preset']);
  const colours = (choice['theme'] === 'dark' ? preset?.dark : preset?.light) ?? [];
  ['primary', 'primary-hover', 'other', 'tint', 'line'].forEach((name, index) => root.style.setProperty(`--color-${name}`, colours[index] ?? ''));
  document.body.className = `page-${choice['page']}`;
  const { shell } = fakeShell(module, pageOf(choice, module.slot));
  return <ModuleFrame module={module} shell={shell} props={samples} />;
}

/** The controls, and a frame with the module for each language that is wanted. */
function Gallery({ module }: { module: UiModule }) {
  const [choice, setChoice] = useState(() => choiceOf(location.search));
  const choose = (key: string, value: string) => {
    const next = { ...choice, [key]: value };
    setChoice(next);
    history.replaceState(null, '', `?${new URLSearchParams(next)}`);
  };
  const shown = LANGUAGES.filter(({ code }) => choice['language'] === EVERY || code === choice['language']);
  return (
    <>
      <form className="gallery-controls" onSubmit={(event) => event.preventDefault()}>
        <strong>{module.id}</strong>
        {Object.entries(CHOICES).map(([key, values]) => (
          <label key={key}>
            {key}
            <select value={choice[key]} onChange={(event) => choose(key, event.target.value)}>
              {values.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        ))}
      </form>
      {shown.map(({ code, tag, name }) => (
        <section key={code} className="gallery-view">
          <h2 lang={tag}>{name}</h2>
          <iframe
            title={`${module.id}, ${name}`}
            src={`?${new URLSearchParams({ ...choice, language: code, single: '1' })}`}
            style={{ width: choice['width'] ? `${choice['width']}px` : '100%' }}
          />
        </section>
      ))}
    </>
  );
}

/** Shows the gallery of a module in the page, or in one of its frames the module. */
export function showGallery(module: UiModule, samples: object): void {
  const app = document.getElementById('app');
  if (!app) return;
  const single = new URLSearchParams(location.search).has('single');
  createRoot(app).render(
    <StrictMode>{single ? <Single module={module} samples={samples} choice={choiceOf(location.search)} /> : <Gallery module={module} />}</StrictMode>,
  );
}
